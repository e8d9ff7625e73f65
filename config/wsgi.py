"""What gunicorn serves."""

from django.core.wsgi import get_wsgi_application

from config import env

env.use_project_settings()
application = get_wsgi_application()
