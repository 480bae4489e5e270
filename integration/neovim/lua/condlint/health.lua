-- :checkhealth condlint
--
-- Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
local M = {}

-- The program that is started: by this plugin, or by vim.lsp.enable, which has a configuration of its own.
local function program_of()
  local own = require('condlint').config.cmd[1]
  local native = vim.lsp.config and vim.lsp.config.condlint
  if vim.fn.executable(own) == 0 and native and type(native.cmd) == 'table' then
    return native.cmd[1]
  end
  return own
end

function M.check()
  local health = vim.health or require('health') -- the latter before 0.8
  local start = health.start or health.report_start -- the latter before 0.10
  local ok = health.ok or health.report_ok
  local warn = health.warn or health.report_warn
  local bad = health.error or health.report_error

  start('condlint')
  local program = program_of()
  if vim.fn.executable(program) == 0 then
    bad(("there is no program '%s'"):format(program), { 'pip install condlint', "or name it: require('condlint').setup{ cmd = { … } }" })
    return
  end
  local version = vim.fn.systemlist({ program, '--version' })
  ok(version[1] or program)
  if table.concat(version, '\n'):find('built without C++ support', 1, true) then
    warn('it is built without C++ support: models alone are analysed')
  else
    ok('it reads C++ sources')
  end
  if vim.fn.has('nvim-0.10') == 0 then
    warn('inlay hints need Neovim 0.10')
  end
end

return M
