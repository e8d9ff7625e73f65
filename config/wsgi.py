"""What gunicorn serves."""

import gc

from django.core.wsgi import get_wsgi_application

from config import env

env.use_project_settings()
application = get_wsgi_application()

# What is loaded now stays for ever, and a page makes thousands of objects that all go with it:
# looking for cycles after every few hundred would cost a seventh of the time of a board.
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 20, 50)
