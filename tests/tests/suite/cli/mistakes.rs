//! The commands of the session in which everything goes wrong (`sessions.rs`).

/// Failing commands.
pub(super) const MISTAKES: &str = r#"
admin$ orgmem serch CRM
admin$ orgmem commit "too far" --scope world
admin$ orgmem commit
admin$ orgmem commit x --ttl soon
admin$ orgmem search x --since yesterday
admin$ orgmem search x --limit 0
admin$ orgmem commit x --expires-at tomorrow
admin$ orgmem commit x --id nope
admin$ orgmem tree --depth 51
admin$ orgmem token issue Bot-7 --role boss
admin$ orgmem kv set broken '{"page":' -w Bot-7
admin$ orgmem completions tcl
admin$ orgmem connect netscape
admin$ orgmem search x
admin$ orgmem search x -w Nobody
admin$ orgmem search x -w 0f0f0f0f-0000-4000-8000-0f0f0f0f0f0f
admin$ orgmem workspace create Bot-7 --parent Ops && orgmem search x -w Bot-7
admin$ orgmem search x -w Ops/Bot-7
admin$ orgmem commit -w "Dev Lead" "all of you" --scope GLOBAL
admin$ orgmem commit -w Ops " "
admin$ orgmem commit -w Ops x --ttl -1s
admin$ orgmem commit -w Ops x --supersedes 00000000-0000-4000-8000-000000000001
admin$ orgmem commit -w Ops "the first" --id 0199a7c2-0000-7000-8000-000000000001
admin$ orgmem memory edit 0199a7c2-0000-7000-8000-000000000001 -w Ops
admin$ orgmem memory edit 0199a7c2-0000-7000-8000-000000000001 -w Ops --content " "
admin$ orgmem memory edit 0199a7c2-0000-7000-8000-000000000001 -w Ops --ttl -1s
admin$ orgmem memory edit 0199a7c2-0000-7000-8000-000000000001 -w Ops --pin true --if-version 7
admin$ orgmem memory edit 0199a7c2-0000-7000-8000-000000000001 -w "Dev Lead" --pin true
admin$ orgmem memory history 0199a7c2-0000-7000-8000-000000000001 -w "Dev Lead"
admin$ orgmem memory restore 0199a7c2-0000-7000-8000-000000000001 9 -w Ops
admin$ orgmem memory forget 0f0f0f0f-0000-4000-8000-0f0f0f0f0f0f -w Ops
admin$ orgmem kv get nothing -w Ops
admin$ orgmem memory edit 00000000-0000-4000-8000-000000000007 -w Ops
admin$ orgmem memory edit 00000000-0000-4000-8000-000000000007 -w Ops --content x
admin$ orgmem memory history 00000000-0000-4000-8000-000000000007 -w Ops
admin$ orgmem memory redact 00000000-0000-4000-8000-000000000007 -w Ops --reason gone
admin$ orgmem memory list-entries --profile nothing -w Ops
admin$ orgmem memory list-entries --profile 0f0f0f0f-0000-4000-8000-0f0f0f0f0f0f
admin$ orgmem memory redact 0f0f0f0f-0000-4000-8000-0f0f0f0f0f0f --reason gone
admin$ orgmem profile change default -w Ops
admin$ orgmem profile delete default -w Ops
admin$ orgmem profile create x -w Ops --limit 51
admin$ orgmem activity append sleeping -w Ops
admin$ orgmem context --profile nothing -w Ops
admin$ orgmem org import nowhere.yaml
admin$ printf 'name: Shop\nchildrn: []\n' | orgmem org import -
admin$ orgmem memory write-entry x --profile nothing -w Ops
admin$ orgmem run finish 0f0f0f0f-0000-4000-8000-0f0f0f0f0f0f failed -w Ops
admin$ orgmem run finish 0f0f0f0f-0000-4000-8000-0f0f0f0f0f0f done -w Ops
admin$ orgmem run start early -w Ops > early && orgmem run finish "$(cat early)" failed -w Ops && orgmem commit late --run-id "$(cat early)" -w Ops
admin$ orgmem run output "$(cat early)" '[1]' -w Ops
admin$ orgmem erase Acme --reason "asked for"
agent$ orgmem erase Acme --whole-org --reason "asked for"
admin$ orgmem kv delete nothing -w Ops
admin$ orgmem kv set .. 1 -w Ops
admin$ head -c 3000000 /dev/zero | tr '\0' x | orgmem commit -w Ops -
admin$ orgmem kv set state 1 -w Ops && orgmem kv set state 2 -w Ops --if-version 7
admin$ orgmem kv set state 1 -w Ops --ttl 0s
admin$ orgmem workspace remove "Dev Lead"
admin$ orgmem workspace move Acme Ops
admin$ orgmem workspace move "Dev Lead" "Dev Lead/Bot-7"
admin$ orgmem workspace create Stray --parent Nobody
admin$ orgmem workspace create Twin --parent Ops && orgmem workspace create Twin --parent Ops
admin$ orgmem token revoke nothing
admin$ orgmem token issue Ops --expires-in 500d
agent$ orgmem token issue Ops
agent$ orgmem workspace create Mine --parent "Dev Lead/Bot-7"
agent$ orgmem search x -w Ops
agent$ orgmem tree
admin$ ORGMEM_TOKEN=nonsense orgmem tree
admin$ ORGMEM_TOKEN= orgmem tree
admin$ orgmem token revoke-all Dev\ Lead/Bot-7
agent$ orgmem search x
admin$ ORGMEM_URL=http://127.0.0.1:1 orgmem tree
admin$ ORGMEM_URL=http://127.0.0.1:1 orgmem health
admin$ ORGMEM_URL=http://127.0.0.1:1 orgmem kv get state -w Ops
admin$ echo '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}' | ORGMEM_URL=http://127.0.0.1:1 orgmem mcp
admin$ ORGMEM_URL=ftp://example.org orgmem tree
admin$ ORGMEM_URL=7070 orgmem health
admin$ orgmem search x -w Ops --url "$ORGMEM_URL/elsewhere"
admin$ ORGMEM_LISTEN=7070 orgmem serve
admin$ ORGMEM_LISTEM=127.0.0.1:7070 orgmem serve
admin$ ORGMEM_JWT_SECRET=hunter2 orgmem serve
admin$ DATABASE_URL=mysql://root:hunter2@db/orgmem orgmem config show
admin$ orgmem serve --log loud
admin$ orgmem serve --log-format xml
admin$ orgmem serve --config nowhere.toml
admin$ echo 'listen = 7070' > orgmem.toml && orgmem serve
admin$ printf '[limits]\nbody_byte = 5000\n' > orgmem.toml && orgmem config show
admin$ echo 'listen 7070' > orgmem.toml && orgmem doctor
admin$ rm orgmem.toml && ORGMEM_URL=http://127.0.0.1:1 orgmem doctor
admin$ touch taken && orgmem serve --data-dir taken/data
admin$ mkdir broken && echo 'this was a database once' > broken/orgmem.db && orgmem serve --listen 127.0.0.1:0 --data-dir broken
admin$ orgmem serve --listen 127.0.0.1:0 --data-dir theirs --database-url postgres://nobody@127.0.0.1:1/nothing
admin$ orgmem export all.jsonl --data-dir nowhere
admin$ orgmem export --subject ada
admin$ orgmem import nowhere.jsonl --data-dir fresh
admin$ echo '{}' > wrong.jsonl && orgmem import wrong.jsonl --data-dir fresh
admin$ orgmem export all.jsonl --data-dir fresh && orgmem import all.jsonl --data-dir fresh --dry-run
admin$ sed '$d' all.jsonl > cut.jsonl && orgmem import cut.jsonl --data-dir fresh
admin$ orgmem migrate --from fresh --to fresh
admin$ orgmem migrate --from fresh --to theirs --json
admin$ orgmem backup backups --data-dir nowhere
admin$ orgmem backup taken --data-dir fresh
admin$ orgmem backup theirs --data-dir fresh
admin$ orgmem backup backups --data-dir fresh --keep 0
admin$ orgmem restore fresh --to new
admin$ orgmem backup backups --data-dir fresh > made && orgmem restore backups --to fresh --data-dir nowhere
admin$ orgmem restore backups --to new --at 2020-01-01 --data-dir nowhere 2>&1 | sed 's/one is .*/one is …/'
admin$ orgmem removals export --data-dir nowhere
admin$ orgmem removals apply all.jsonl --data-dir fresh
admin$ orgmem shard --data-dir fresh --dry-run
admin$ orgmem provider promote acme phone
admin$ orgmem provider demote acme phone
admin$ orgmem provider report acme
"#;
