"""A WSGI application for the test of slow clients: reads the body, says 408 if it stalls."""


def application(environ, start_response):
    try:
        length = len(environ["wsgi.input"].read())
    except TimeoutError:
        start_response("408 Request Timeout", [("Content-Type", "text/plain")])
        return [b"too slow"]
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [str(length).encode()]
