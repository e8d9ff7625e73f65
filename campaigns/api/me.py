"""GET me/ and POST receipts/."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.parsers import JSONParser
from rest_framework.request import Request
from rest_framework.response import Response

from campaigns.api.base import ApiView
from campaigns.api.permissions import IsSomebody
from campaigns.api.schema import problems
from campaigns.api.shapes import Receipt
from campaigns.api.shapes_boards import Genuine
from campaigns.api.shapes_boards import Me as MeShape
from campaigns.models import ApiToken, CampaignRole, Team
from campaigns.services.receipts import is_genuine


class Me(ApiView):
    """The caller."""

    permission_classes = [IsSomebody, *ApiView.permission_classes]
    is_own_data = True

    @extend_schema(
        operation_id="me", tags=["account"], responses={200: MeShape, **problems(401, 403, 429)}
    )
    def get(self, request: Request) -> Response:
        """Show who you are, your teams and roles, and what your token may do."""
        user, token = request.user, request.auth
        teams = Team.objects.filter(pk__in=list(self.viewer.teams)).select_related("campaign")
        roles = CampaignRole.objects.filter(user=user).select_related("campaign")
        return Response(
            {
                "id": str(user.public_id),
                "email": user.email,
                "name": user.name,
                "teams": [
                    {"campaign": team.campaign.slug, "slug": team.slug, "name": team.name}
                    for team in teams
                ],
                "roles": [{"campaign": one.campaign.slug, "role": one.role} for one in roles],
                "token": {
                    "name": token.name,
                    "scopes": token.scopes,
                    "expires_at": token.expires_at,
                }
                if isinstance(token, ApiToken)
                else None,
            }
        )


class Receipts(ApiView):
    """Verification of receipts; anyone who holds one may ask."""

    permission_classes = []
    parser_classes = [JSONParser]

    @extend_schema(
        operation_id="verify_receipt",
        tags=["account"],
        request=Receipt,
        responses={200: Genuine, **problems(400, 401, 415, 429)},
    )
    def post(self, request: Request) -> Response:
        """Say whether a receipt was signed here and is unchanged."""
        return Response({"genuine": is_genuine(request.data)})
