# One image; the command chooses the process: python -m config.processes web|worker|beat
FROM python:3.11-slim-bookworm

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 VAR_DIR=/var/lib/centreboard HOST=0.0.0.0 \
    STATIC_ROOT=/srv/centreboard/staticfiles
WORKDIR /srv/centreboard

COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY centreboard/__init__.py centreboard/__init__.py
COPY evaluation/__init__.py evaluation/__init__.py
RUN pip install --no-cache-dir --constraint constraints.txt --editable '.[server,postgres,s3]'

COPY . .
RUN SECRET_KEY=only-while-the-image-is-built python manage.py collectstatic --no-input --verbosity 0 \
    && useradd --system --home-dir "$VAR_DIR" --create-home centreboard

USER centreboard
EXPOSE 8000
CMD ["python", "-m", "config.processes", "web"]
