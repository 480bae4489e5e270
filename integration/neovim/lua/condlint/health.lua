-- :checkhealth condlint
--
-- Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
local M = {}

function M.check()
  local health = vim.health or require('health') -- the latter before 0.8
  local start = health.start or health.report_start -- the latter before 0.10
  local ok = health.ok or health.report_ok
  local warn = health.warn or health.report_warn
  local bad = health.error or health.report_error

  start('condlint')
  local program = require('condlint').config.cmd[1]
  if vim.fn.executable(program) == 0 then
    bad(("there is no program '%s'"):format(program), { 'pip install condlint', "or name it: require('condlint').setup{ cmd = { … } }" })
    return
  end
  local version = vim.fn.systemlist({ program, '--version' })
  ok(version[1] or program)
  if table.concat(version, '\n'):find('LLVM') then
    ok('it reads C++ sources')
  else
    warn('it is built without C++ support: models alone are analysed')
  end
  if vim.fn.has('nvim-0.10') == 0 then
    warn('inlay hints need Neovim 0.10')
  end
end

return M
