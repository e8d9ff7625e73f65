"""From the body of a submission to checked fields and stored files, all faults at once."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from rest_framework import serializers
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.request import Request

from campaigns import kinds
from campaigns.api.problems import FaultyRequestError
from campaigns.models import Original, Task
from campaigns.services.form_fields import clean_metadata
from campaigns.services.idempotency import key_fault
from campaigns.services.upload_handler import StoreUploadHandler, receive_into_store
from campaigns.services.uploads import UploadError

KEY_HEADER = "Idempotency-Key"


def check_announced(request: Request, task: Task, files: int) -> None:
    """Refuse by media type and announced length, before anything is read."""
    media = request.content_type or ""
    if not media.lower().startswith("multipart/form-data"):
        raise UnsupportedMediaType(media, "Send the run as multipart/form-data.")
    most = files * task.file_bytes + settings.MAX_BODY_BYTES
    length = int(request.META.get("CONTENT_LENGTH") or 0)
    if length > most:
        raise UploadError(
            "file_too_large",
            f"The body has {length:,} bytes; this task takes files of {task.file_bytes:,} bytes.",
            "Keep fewer documents per topic, compress the run, or ask the organizers for a "
            "higher limit.",
            413,
        )


def install_handler(request: Request, task: Task, fields: tuple[str, ...]) -> StoreUploadHandler:
    """Have the files of the body streamed into the store."""
    return receive_into_store(request._request, fields=fields, limit=task.file_bytes)


def _original(task: Task, slug: str, errors: dict[str, str]) -> Original | None:
    """The original named, or the only one."""
    originals = {one.slug: one for one in task.originals.all()}
    if slug:
        if slug not in originals:
            errors["original"] = f"Name an original of this task: {', '.join(originals) or 'none'}."
        return originals.get(slug)
    return next(iter(originals.values())) if len(originals) == 1 else None


def _field_faults(form: serializers.Serializer[Any], request: Request) -> dict[str, str]:
    """Faults by field; unknown fields are refused, since a typing error would go unnoticed."""
    errors: dict[str, str] = {}
    if not form.is_valid():
        errors = {name: " ".join(map(str, texts)) for name, texts in form.errors.items()}
    known = set(form.fields)
    unknown = [name for name in request.data if name not in known]
    return errors | {str(name)[:60]: "There is no such field." for name in unknown}


def _metadata(form: serializers.Serializer[Any], data: Any) -> dict[str, Any] | None:
    """The metadata, also where other fields have faults; None when it has faults itself."""
    try:
        return dict(form.fields["metadata"].run_validation(data.get("metadata", "")))
    except serializers.ValidationError:
        return None


def parse(
    request: Request, task: Task, form_class: type[serializers.Serializer[Any]], key: str
) -> dict[str, Any]:
    """Checked values of the form; raises ``FaultyRequestError`` with every fault."""
    handler: StoreUploadHandler = request._request.upload_handlers[0]
    data = request.data
    handler.check_complete()
    form = form_class(data=data)
    errors = _field_faults(form, request)
    for name in handler.faults:
        errors.pop(name, None)
    if key and (fault := key_fault(key)):
        errors[KEY_HEADER] = fault
    values = dict(form.validated_data) if form.is_valid() else {}
    slug = str(data.get("original", "")).strip()
    original = _original(task, slug, errors) if slug or kinds.of(task).is_pair else None
    metadata = _metadata(form, data)
    if metadata is not None:
        _, faults = clean_metadata(task.fields, metadata)
        errors |= {f"metadata.{name}": text for name, text in faults.items()}
    if errors or handler.faults:
        raise FaultyRequestError(
            errors,
            [{**fault.as_message(), "field": name} for name, fault in handler.faults.items()],
        )
    return {**values, "metadata": metadata or {}, "original": original}
