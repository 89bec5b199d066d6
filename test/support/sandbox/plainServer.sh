#!/bin/sh
# A server for the shell with two tools: it reads and writes a file.

field() { printf '%s' "$line" | sed -n "s/.*\"$1\": *\"\{0,1\}\([^\",}]*\).*/\1/p"; }

while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id": *\([^,}]*\).*/\1/p')
  answer='"error":{"code":-32601,"message":"no such method"}'
  case $line in
    *'"initialize"'*)
      info='"serverInfo":{"name":"plain","version":"1"}'
      answer="\"result\":{\"protocolVersion\":\"$(field protocolVersion)\",\"capabilities\":{\"tools\":{}},$info}" ;;
    *'"tools/call"'*)
      path=$(field path)
      case $line in
        *'"write"'*) text=$( (printf x >"$path" && echo 1) 2>/dev/null || echo failed) ;;
        *) text=$(cat "$path" 2>/dev/null || echo failed) ;;
      esac
      answer="\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"$text\"}]}" ;;
  esac
  if [ -n "$id" ]; then
    printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$answer"
  fi
done
