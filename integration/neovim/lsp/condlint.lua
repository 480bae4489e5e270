-- For vim.lsp.enable('condlint') of Neovim 0.11 and newer.
--
-- Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
return {
  cmd = { 'condlint', 'lsp' },
  filetypes = { 'c', 'cpp', 'cuda' },
  root_markers = { 'compile_commands.json', 'compile_flags.txt', '.condlint.json', '.git' },
}
