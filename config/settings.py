"""Django's settings. Nothing configured means: one machine, SQLite, files under var/."""

from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from config import address, env, secret
from config.plotly_files import STYLE_HASHES
from config.production import production_faults

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = env.path("VAR_DIR", BASE_DIR / "var")

# -- Who may reach the site ---------------------------------------------------------------------
PRODUCTION = env.flag("PRODUCTION")
DEBUG = env.flag("DEBUG")
SECRET_KEY = env.text("SECRET_KEY") or ("" if PRODUCTION else secret.of_installation(VAR_DIR))
ALLOWED_HOSTS = env.listing(
    "ALLOWED_HOSTS", () if PRODUCTION else ("localhost", "127.0.0.1", "[::1]", "testserver")
)
if not PRODUCTION and (host := env.text("HOST")) and host not in ("0.0.0.0", "::"):  # noqa: S104  (compared, not bound)
    ALLOWED_HOSTS.append(host)
CSRF_TRUSTED_ORIGINS = env.listing("CSRF_TRUSTED_ORIGINS")
if PRODUCTION and (faults := production_faults(SECRET_KEY, DEBUG, ALLOWED_HOSTS)):
    raise ImproperlyConfigured("Centreboard does not start: " + "; ".join(faults) + ".")

HTTPS = env.flag("HTTPS", default=PRODUCTION)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if env.flag("BEHIND_PROXY"):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    # Else all people share the limits on log-ins and sign-ups: they come from one address.
    ALLAUTH_TRUSTED_PROXY_COUNT = 1

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "style-src": [SELF, *STYLE_HASHES],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

# -- What it is made of -------------------------------------------------------------------------
INSTALLED_APPS = [
    "config.apps.ConfigConfig",
    "campaigns.apps.CampaignsConfig",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "csp",
    "django_filters",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Before anything that may read a body: CSRF protection parses the form.
    "campaigns.middleware.ContentLengthMiddleware",
    "campaigns.middleware.PrivateAnswersMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# -- Where it keeps things ----------------------------------------------------------------------
DATABASES = {"default": address.database(env.text("DATABASE_URL"), VAR_DIR)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.text("REDIS_URL") or address.embedded_broker(VAR_DIR)
REDIS_PREFIX = env.text("REDIS_PREFIX", "centreboard")
# A frozen broker must not hold a request: short time-outs, one try.
REDIS_TIMEOUT_SECONDS = 1.5
CACHES = {"default": address.cache(REDIS_URL, REDIS_PREFIX, REDIS_TIMEOUT_SECONDS)}

STATIC_URL = "static/"
STATIC_ROOT = env.path("STATIC_ROOT", VAR_DIR / "static")
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "config.plotly_files.PlotlyFinder",
]
STATIC_MANIFEST = env.flag("STATIC_MANIFEST", default=not DEBUG)
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = not STATIC_MANIFEST

S3_BUCKET = env.text("S3_BUCKET")
STORAGES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": VAR_DIR / "media"},
    },
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if STATIC_MANIFEST
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
    "runs": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {
            "location": VAR_DIR / "runs",
            "file_permissions_mode": 0o600,
            "directory_permissions_mode": 0o700,
        },
    },
}
# What workers keep of runs and qrels they have read; it may be deleted at any time.
COMPILED_ROOT = env.path("COMPILED_ROOT", VAR_DIR / "compiled")
COMPILED_BYTES = env.integer("COMPILED_BYTES", 4 * 2**30, least=0)
if S3_BUCKET:
    STORAGES["runs"] = address.object_store(S3_BUCKET)

# -- Who people are -----------------------------------------------------------------------------
AUTH_USER_MODEL = "campaigns.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "/accounts/login/"
LOGIN_REDIRECT_URL = "/"

EMAIL_HOST = env.text("EMAIL_HOST")
EMAIL_PORT = env.integer("EMAIL_PORT", 587)
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS", default=True)
EMAIL_TIMEOUT = 10
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'filebased'}.EmailBackend"
EMAIL_FILE_PATH = VAR_DIR / "mail"
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", "centreboard@localhost")

ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_UNIQUE_EMAIL = True
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if EMAIL_HOST else "optional"
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Centreboard] "
ACCOUNT_SIGNUP_REDIRECT_URL = "/teams/"
ACCOUNT_FORMS = {
    "login": "campaigns.forms.accounts.LoginForm",
    "signup": "campaigns.forms.accounts.SignupForm",
    "add_email": "campaigns.forms.accounts.AddEmailForm",
    "change_password": "campaigns.forms.accounts.ChangePasswordForm",
    "set_password": "campaigns.forms.accounts.SetPasswordForm",
    "reset_password": "campaigns.forms.accounts.ResetPasswordForm",
    "reset_password_from_key": "campaigns.forms.accounts.ResetPasswordKeyForm",
    "reauthenticate": "campaigns.forms.accounts.ReauthenticateForm",
}
ACCOUNT_REAUTHENTICATION_TIMEOUT = 600
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Centreboard"

# Who may create campaigns beside those that an administrator allows (campaigns.add_campaign).
ANYBODY_MAY_ORGANIZE = env.flag("ANYBODY_MAY_ORGANIZE", default=not PRODUCTION)

TOKEN_DAYS = env.integer("TOKEN_DAYS", 90, least=1)
TOKEN_MAX_DAYS = 366

# -- REST ---------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "campaigns.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    # What may be seen is decided by campaigns.policies; strangers get 404, not 403.
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination",
    "PAGE_SIZE": 100,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "campaigns.api.problems.problem_handler",
    "URL_FORMAT_OVERRIDE": None,  # ?format=csv belongs to the views
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Centreboard",
    "DESCRIPTION": "Shared tasks, and reproduced experiments measured against the original.",
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": r"/api/v1/",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
}

# -- Limits -------------------------------------------------------------------------------------
MAX_UPLOAD_BYTES = env.integer("MAX_UPLOAD_BYTES", 512 * 2**20, least=1)
MAX_EXPANDED_BYTES = env.integer("MAX_EXPANDED_BYTES", 4 * 2**30, least=1)
MAX_BODY_BYTES = 2 * 2**20  # of a request that carries no run
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_BODY_BYTES
FILE_UPLOAD_MAX_MEMORY_SIZE = 64 * 2**10
WEB_THREADS = env.integer("WEB_THREADS", 24, least=4)
MAX_WAIT_SECONDS = 30
MAX_WAITERS = max(1, WEB_THREADS // 4)

# -- Background work: the row is the truth, the message only a bell -------------------------------
LEASE_SECONDS = env.integer("LEASE_SECONDS", 45, least=1)
HEARTBEAT_SECONDS = LEASE_SECONDS / 4
RECOVERY_SECONDS = env.integer("RECOVERY_SECONDS", 30, least=1)
MAX_CRASHES = 3

CELERY_BROKER_URL = address.celery_broker(REDIS_URL)
# A ring that is not heard at once is given up: recovery rings again.
GIVE_UP = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.1}
CELERY_TASK_PUBLISH_RETRY_POLICY = GIVE_UP
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
    "global_keyprefix": f"{REDIS_PREFIX}:",
    "visibility_timeout": 3600,
    "socket_timeout": REDIS_TIMEOUT_SECONDS,
    "socket_connect_timeout": REDIS_TIMEOUT_SECONDS,
    "unacked_restore_throttle": 1,
    "unacked_restore_interval": 10,
    # A frozen broker left the mutex held for its default of five minutes.
    "unacked_mutex_expire": 10,
    **GIVE_UP,
}
CELERY_BROKER_CONNECTION_TIMEOUT = REDIS_TIMEOUT_SECONDS
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TASK_QUEUES = address.queues()
CELERY_TASK_DEFAULT_QUEUE = "housekeeping"
CELERY_TASK_CREATE_MISSING_QUEUES = False
CELERY_TASK_SERIALIZER = CELERY_RESULT_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_SOFT_TIME_LIMIT = 900
CELERY_TASK_TIME_LIMIT = 960
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_TASKS_PER_CHILD = 500
CELERY_WORKER_MAX_MEMORY_PER_CHILD = 1_500_000  # KiB; checked between two tasks
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "recover": {
        "task": "campaigns.recover",
        "schedule": RECOVERY_SECONDS,
        "options": {"queue": "housekeeping", "expires": RECOVERY_SECONDS},
    },
    "sweep": {
        "task": "campaigns.sweep",
        "schedule": 3600,
        "options": {"queue": "housekeeping", "expires": 1800},
    },
}

# -- Time, language, logs -------------------------------------------------------------------------
USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = True
LANGUAGE_CODE = "en"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"without_secrets": {"()": "config.logs.WithoutSecrets"}},
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "line",
            "filters": ["without_secrets"],
        }
    },
    "root": {"handlers": ["console"], "level": env.text("LOG_LEVEL", "INFO").upper()},
}
