-- condlint in Neovim: attaches the language server `condlint lsp` to C++ buffers and models, beside clangd.
--
-- Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
local M = {}

M.config = {
  cmd = { 'condlint', 'lsp' },
  filetypes = { 'c', 'cpp', 'cuda', 'condlintmodel' },
  root_markers = { 'compile_commands.json', 'compile_flags.txt', '.condlint.json', '.git' },
  lens = true, -- lines above conditionals
  hints = false, -- types behind conditionals (Neovim 0.10 and newer)
  unknown = false, -- what could not be decided, as hints
  on_attach = nil, -- function(client, buffer)
}

-- The folder above `file` that holds one of the markers, or its own.
local function root_of(file)
  local folder = vim.fn.fnamemodify(file, ':p:h')
  local at = folder
  while true do
    for _, marker in ipairs(M.config.root_markers) do
      if vim.loop.fs_stat(at .. '/' .. marker) then
        return at
      end
    end
    local above = vim.fn.fnamemodify(at, ':h')
    if above == at then
      return folder
    end
    at = above
  end
end

local function refresh_lens(buffer)
  local lens = vim.lsp.codelens
  if lens.enable then -- 0.12 and newer
    lens.enable(true, { bufnr = buffer })
  else
    vim.api.nvim_buf_call(buffer, function()
      lens.refresh({ bufnr = buffer })
    end)
  end
end

local function attached(client, buffer)
  if M.config.lens and client.server_capabilities.codeLensProvider then
    local group = vim.api.nvim_create_augroup('condlint' .. buffer, { clear = true })
    vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged' }, {
      group = group,
      buffer = buffer,
      callback = function()
        refresh_lens(buffer)
      end,
    })
    refresh_lens(buffer)
  end
  if M.config.hints and vim.lsp.inlay_hint then
    pcall(vim.lsp.inlay_hint.enable, true, { bufnr = buffer })
  end
  if M.config.on_attach then
    M.config.on_attach(client, buffer)
  end
end

function M.options()
  return { lens = M.config.lens, hints = M.config.hints, unknown = M.config.unknown }
end

-- Attaches the server to `buffer` (0: the one that is shown). Returns the client's number, or nil.
function M.start(buffer)
  buffer = buffer == 0 and vim.api.nvim_get_current_buf() or buffer
  local file = vim.api.nvim_buf_get_name(buffer)
  if file == '' then
    return nil
  end
  if vim.fn.executable(M.config.cmd[1]) == 0 then
    vim.notify_once(
      ("condlint: there is no program '%s'; install it with `pip install condlint`, or name it with cmd"):format(M.config.cmd[1]),
      vim.log.levels.WARN
    )
    return nil
  end
  local root = root_of(file)
  if vim.lsp.start then -- 0.8 and newer
    return vim.lsp.start({
      name = 'condlint',
      cmd = M.config.cmd,
      root_dir = root,
      init_options = M.options(),
      on_attach = attached,
    }, { bufnr = buffer })
  end
  -- 0.7: one server for each root, by hand.
  M.clients = M.clients or {}
  local id = M.clients[root]
  if not id or not vim.lsp.get_client_by_id(id) then
    id = vim.lsp.start_client({
      name = 'condlint',
      cmd = M.config.cmd,
      root_dir = root,
      workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
      init_options = M.options(),
      on_attach = attached,
    })
    M.clients[root] = id
  end
  if id then
    vim.lsp.buf_attach_client(buffer, id)
  end
  return id
end

-- The script that a model was exported from is asked about as soon as something of the model is shown there.
local function attach_where_shown(buffer)
  if not vim.api.nvim_buf_is_loaded(buffer) or vim.bo[buffer].filetype ~= 'python' then
    return
  end
  for _, client in ipairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do
    if client.name == 'condlint' and not vim.lsp.buf_is_attached(buffer, client.id) then
      local own = vim.lsp.diagnostic.get_namespace(client.id)
      if #vim.diagnostic.get(buffer, { namespace = own }) > 0 then
        vim.lsp.buf_attach_client(buffer, client.id)
      end
    end
  end
end

-- Shows the page of `rule`, or of the one that is found fault with on this line.
function M.explain(rule)
  if not rule or rule == '' then
    local line = vim.api.nvim_win_get_cursor(0)[1] - 1
    for _, d in ipairs(vim.diagnostic.get(0, { lnum = line })) do
      if d.source == 'condlint' and d.code then
        rule = d.code
      end
    end
  end
  if not rule or rule == '' then
    return vim.notify('condlint: nothing is found fault with on this line', vim.log.levels.INFO)
  end
  local page = vim.fn.systemlist({ M.config.cmd[1], 'explain', rule })
  vim.lsp.util.open_floating_preview(page, 'markdown', { border = 'rounded' })
end

-- setup{ cmd = …, filetypes = …, lens = …, hints = …, unknown = …, on_attach = … }
function M.setup(options)
  M.config = vim.tbl_deep_extend('force', M.config, options or {})
  local group = vim.api.nvim_create_augroup('condlint', { clear = true })
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = M.config.filetypes,
    callback = function(event)
      M.start(event.buf or tonumber(vim.fn.expand('<abuf>')))
    end,
  })
  vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
    group = group,
    pattern = { '*.pt2', '*.onnx' },
    callback = function()
      vim.bo.filetype = 'condlintmodel'
    end,
  })
  vim.api.nvim_create_autocmd({ 'DiagnosticChanged', 'FileType' }, {
    group = group,
    pattern = { '*.py', 'python' },
    callback = function(event)
      -- Not within what has changed them.
      local buffer = event.buf or tonumber(vim.fn.expand('<abuf>'))
      vim.schedule(function()
        if vim.api.nvim_buf_is_valid(buffer) then
          attach_where_shown(buffer)
        end
      end)
    end,
  })
  vim.api.nvim_create_user_command('CondlintExplain', function(command)
    M.explain(command.args)
  end, { nargs = '?', desc = 'Show the page of a rule of condlint' })
end

return M
