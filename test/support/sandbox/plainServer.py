"""A server in plain Python with two tools: it reads and writes a file."""

import json
import sys


def call(name, arguments):
    try:
        with open(arguments["path"], "w" if name == "write" else "r") as file:
            return str(file.write("x")) if name == "write" else file.read()
    except OSError as error:
        return error.strerror


for line in sys.stdin:
    message = json.loads(line)
    method, params = message["method"], message.get("params", {})
    answer = {"error": {"code": -32601, "message": "no such method"}}
    if method == "initialize":
        info = {"name": "plain", "version": "1"}
        version = params["protocolVersion"]
        capabilities = {"tools": {}}
        answer = {"result": {"protocolVersion": version, "capabilities": capabilities, "serverInfo": info}}
    elif method == "tools/call":
        text = call(params["name"], params["arguments"])
        answer = {"result": {"content": [{"type": "text", "text": text}]}}
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}), flush=True)
