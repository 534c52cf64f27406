"""Receives callbacks: verifies the signature, answers, and prints each event once."""
import base64
import hashlib
import hmac
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

if len(sys.argv) != 3:
    print("usage: python3 receive_callbacks.py PORT SECRET", file=sys.stderr)
    print("for example: python3 receive_callbacks.py 9090 whsec_YSBzZWNyZXQ=", file=sys.stderr)
    sys.exit(2)

port, secret = int(sys.argv[1]), sys.argv[2]
key = base64.b64decode(secret.removeprefix("whsec_"))
TOLERANCE_SECONDS = 300
# In production: a table with the id as its key, written together with what the event causes.
seen = set()
lock = threading.Lock()


def is_genuine(headers, body):
    """The body must be the bytes that came, before any parsing."""
    webhook_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{webhook_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    # There may be several signatures, separated by blanks.
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(each.encode(), expected.encode()) for each in given)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not is_genuine(self.headers, body):
            self.answer(401)
            return
        webhook_id = self.headers["webhook-id"]
        # A callback may come more than once, with the same id.
        with lock:
            if webhook_id not in seen:
                print(f"{webhook_id} {self.headers['x-event']} {len(body)} bytes", flush=True)
            seen.add(webhook_id)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *args):
        pass


# Sundial keeps several connections open and posts on all of them at once.
server = ThreadingHTTPServer(("127.0.0.1", port), Receiver)
print("ready", flush=True)
server.serve_forever()
