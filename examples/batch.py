#!/usr/bin/env python3
# One process for many calls, from Python: a request a line to `agent-ls call --stdin`, an answer a line back.
# Usage: python3 examples/batch.py [DIRECTORY]; the variable AGENT_LS names the command, if it is not on the path.
import json
import os
import shlex
import subprocess
import sys

root = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".")
command = shlex.split(os.environ.get("AGENT_LS", "agent-ls"))


class AgentLs:
    def __init__(self, root):
        self.process = subprocess.Popen(
            [*command, "call", "--stdin", "--root", root],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8",
        )
        self.asked = 0

    def ask(self, **request):
        self.asked += 1
        self.process.stdin.write(json.dumps({"id": self.asked, **request}) + "\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        assert reply["id"] == self.asked
        return reply

    def close(self):
        self.process.stdin.close()
        return self.process.wait()


ls = AgentLs(root)

# Walks down by LS alone, a page at a time.
waiting, files = ["."], 0
while waiting:
    params = {"path": waiting.pop(0), "limit": 2}
    while True:
        data = ls.ask(params=params)["answer"]["data"]
        files += sum(entry["type"] == "file" for entry in data["entries"])
        waiting += [entry["path"] for entry in data["entries"] if entry["type"] == "dir"]
        if "next_cursor" not in data:
            break
        params["cursor"] = data["next_cursor"]
print(files, "files in", ls.asked, "calls")

print(ls.ask(tool="Tree", params={"path": "src"})["text"])
print(ls.ask(params={"path": "missing"})["answer"]["error"]["code"])
print("status", ls.close())
