# fish completion for condlint

function __condlint_rules
    condlint rules --output json 2>/dev/null | string match -rg '^      "id": "(.*)",$'
end

function __condlint_targets
    condlint targets --output json 2>/dev/null | string match -rg '^      "name": "(.*)",$'
end

set -l commands check dump explain rules targets
complete -c condlint -n "not __fish_seen_subcommand_from $commands" -f
complete -c condlint -n "not __fish_seen_subcommand_from $commands" -l version -d 'Print the version'
complete -c condlint -n "not __fish_seen_subcommand_from $commands" -a check -d 'Find what is wrong with the conditionals of models'
complete -c condlint -n "not __fish_seen_subcommand_from $commands" -a dump -d 'Print the graphs of a model'
complete -c condlint -n "not __fish_seen_subcommand_from $commands" -a explain -d 'Say what a rule means'
complete -c condlint -n "not __fish_seen_subcommand_from $commands" -a rules -d 'List the rules and their severities'
complete -c condlint -n "not __fish_seen_subcommand_from $commands" -a targets -d 'List the systems whose rules are known'
complete -c condlint -s h -l help -d 'Print help'

complete -c condlint -n '__fish_seen_subcommand_from check' -l target -x -a '(__condlint_targets)' -d 'The system that will run the model'
complete -c condlint -n '__fish_seen_subcommand_from check' -l output -x -a 'text json' -d 'FORMAT or FORMAT=FILE'
complete -c condlint -n '__fish_seen_subcommand_from check' -l fail-on -x -a 'error warning note never' -d 'Exit with 1 from this severity on'
complete -c condlint -n '__fish_seen_subcommand_from check' -l select -x -a '(__condlint_rules)' -d 'Only these rules'
complete -c condlint -n '__fish_seen_subcommand_from check' -l ignore -x -a '(__condlint_rules)' -d 'All but these rules'
complete -c condlint -n '__fish_seen_subcommand_from check' -s j -l jobs -x -d 'Inputs analysed at a time'
complete -c condlint -n '__fish_seen_subcommand_from check' -s q -l quiet -d 'One line for each error and warning'
complete -c condlint -n '__fish_seen_subcommand_from check' -l color -x -a 'auto always never' -d 'When to colour'
complete -c condlint -n '__fish_seen_subcommand_from check' -l config -r -d 'This configuration'
complete -c condlint -n '__fish_seen_subcommand_from check' -l no-config -d 'No configuration'
complete -c condlint -n '__fish_seen_subcommand_from check' -l allow-partial -d 'An input analysed in part is no failure'
complete -c condlint -n '__fish_seen_subcommand_from check' -l fix -d 'Make the safe fixes in C++ sources'
complete -c condlint -n '__fish_seen_subcommand_from check' -l fix-dry-run -d 'Print the safe fixes as a diff'
complete -c condlint -n '__fish_seen_subcommand_from check' -l timing -d 'Say how long parsing C++ sources took'
complete -c condlint -n '__fish_seen_subcommand_from check' -l cache -xa '(__fish_complete_directories)' -d 'Keep parsed library headers of C++ sources here'
complete -c condlint -n '__fish_seen_subcommand_from check' -l no-cache -d 'Keep nothing of C++ sources between runs'
complete -c condlint -n '__fish_seen_subcommand_from check' -s p -x -a '(__fish_complete_directories)' -d 'The folder of compile_commands.json'
complete -c condlint -n '__fish_seen_subcommand_from dump' -l output -x -a 'text json' -d 'The form of the output'
complete -c condlint -n '__fish_seen_subcommand_from dump' -l model -x -d 'Which model of an archive'
complete -c condlint -n '__fish_seen_subcommand_from dump' -l infer -d 'Type the values first'
complete -c condlint -n '__fish_seen_subcommand_from explain' -f -a '(__condlint_rules)'
complete -c condlint -n '__fish_seen_subcommand_from explain rules targets' -l output -x -a 'text json' -d 'The form of the output'
complete -c condlint -n '__fish_seen_subcommand_from explain' -l at -r -d 'The conditional at FILE:LINE'
