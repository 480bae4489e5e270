# bash completion for condlint

_condlint_rules() { condlint rules --output json 2>/dev/null | sed -nE 's/^      "id": "(.*)",$/\1/p'; }
_condlint_targets() { condlint targets --output json 2>/dev/null | sed -nE 's/^      "name": "(.*)",$/\1/p'; }
_condlint_formats() { condlint check --help 2>/dev/null | sed -nE 's/^ *--output FORMAT[^ ]* [. ]*([a-z, ]+);.*/\1/p' | tr -d ,; }

# The rules that a list RULE,RULE can go on with.
_condlint_rule_list() {
  local before=
  [[ $1 == *,* ]] && before=${1%,*},
  compopt -o nospace 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -P "$before" -W "$(_condlint_rules)" -- "${1##*,}")
}

_condlint() {
  local cur prev command word
  cur=${COMP_WORDS[COMP_CWORD]}
  prev=${COMP_WORDS[COMP_CWORD - 1]}
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
      -*) ;;
      *) command=$word; break ;;
    esac
  done
  compopt +o default 2>/dev/null
  case $prev in
    --target) mapfile -t COMPREPLY < <(compgen -W "$(_condlint_targets)" -- "$cur"); return ;;
    --select | --ignore) _condlint_rule_list "$cur"; return ;;
    --output)
      case $command in
        check | merge | run) word=$(_condlint_formats) ;;
        *) word="text json" ;;
      esac
      mapfile -t COMPREPLY < <(compgen -W "$word" -- "$cur")
      return ;;
    --fail-on) mapfile -t COMPREPLY < <(compgen -W "error warning note never" -- "$cur"); return ;;
    --color) mapfile -t COMPREPLY < <(compgen -W "auto always never" -- "$cur"); return ;;
    --branch) mapfile -t COMPREPLY < <(compgen -W "taken both" -- "$cur"); return ;;
    --device) mapfile -t COMPREPLY < <(compgen -W "cpu cuda" -- "$cur"); return ;;
    --config | --baseline | --diff-from | --at | --inputs | --expect | --save) compopt -o default; COMPREPLY=(); return ;;
    -p) compopt -o dirnames; COMPREPLY=(); return ;;
    -j | --jobs | --model | --rtol | --atol | --seed | --draws | --memory-limit | --time-limit | --shard | --diff) return ;;
  esac
  if [[ $cur == -* ]]; then
    case $command in
      check) word="--target --output --fail-on --select --ignore --jobs --quiet --color --config --no-config --allow-partial --baseline --write-baseline --prune-baseline --diff --diff-from --shard --fix --fix-dry-run --timing --cache --no-cache -p --help" ;;
      merge) word="--output --quiet --color --help" ;;
      run) word="--inputs --expect --branch --device --rtol --atol --save --seed --draws --memory-limit --time-limit --target --output --allow-partial --model --trace --quiet --color --help" ;;
      dump) word="--output --model --infer --help" ;;
      compare) word="--run --draws --seed --rtol --atol --target --fail-on --output --quiet --help" ;;
      show) word="--at --save --target -p --help" ;;
      explain) word="--output --at --target -p --help" ;;
      rules | targets) word="--output --help" ;;
      lsp) word="--target --select --ignore --config --no-config --cache --no-cache -p --stdio --help" ;;
      tidy-plugin) word="--help" ;;
      *) word="--version --help" ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$word" -- "$cur")
    return
  fi
  case $command in
    "") mapfile -t COMPREPLY < <(compgen -W "check merge run show compare dump explain rules targets lsp tidy-plugin" -- "$cur") ;;
    explain) mapfile -t COMPREPLY < <(compgen -W "$(_condlint_rules)" -- "$cur") ;;
    check | merge | run | show | compare | dump) compopt -o default; COMPREPLY=() ;;
  esac
}
complete -F _condlint condlint
