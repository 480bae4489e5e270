-- What a user of Neovim does: opens a source, sees the finding and the lens, points at the conditional, applies the repair
-- and sees the finding gone. Environment: CONDLINT, PLUGIN (its folder), SOURCE (the file), MODEL and SCRIPT
-- (that it was exported from), CLANGD (a program, or empty).
local function env(name)
  return vim.fn.getenv(name) ~= vim.NIL and vim.fn.getenv(name) or ''
end

local function fail(what)
  io.stdout:write('FAILED: ' .. what .. '\n')
  vim.cmd('cquit 1')
end

local function await(what, condition)
  if not vim.wait(30000, condition, 50) then
    fail(what)
  end
  io.stdout:write('seen: ' .. what .. '\n')
end

local function client(name)
  local all = vim.lsp.get_clients and vim.lsp.get_clients() or vim.lsp.get_active_clients()
  local found
  for _, c in ipairs(all) do
    if c.name == name and (not found or vim.lsp.buf_is_attached(0, c.id)) then
      found = c
    end
  end
  return found
end

local function ask(method, params)
  local done, answer
  local c = client('condlint')
  local handler = function(err, result)
    done, answer = true, result
    if err then
      fail(method .. ': ' .. vim.inspect(err))
    end
  end
  -- From 0.11 on a client's functions are methods.
  if vim.fn.has('nvim-0.11') == 1 then
    c:request(method, params, handler, 0)
  else
    c.request(method, params, handler, 0)
  end
  await('an answer to ' .. method, function()
    return done
  end)
  return answer
end

local function found()
  return vim.tbl_filter(function(d)
    return d.source == 'condlint' and d.code == 'output-alias'
  end, vim.diagnostic.get(0))
end

vim.opt.runtimepath:append(env('PLUGIN'))
vim.cmd('filetype on')
if env('ENABLE') ~= '' then -- as 0.11 does it itself
  vim.lsp.config('condlint', { cmd = { env('CONDLINT'), 'lsp' } })
  vim.lsp.enable('condlint')
else
  require('condlint').setup({ cmd = { env('CONDLINT'), 'lsp' } })
end
if env('CLANGD') ~= '' then
  vim.api.nvim_create_autocmd('FileType', {
    pattern = 'cpp',
    callback = function()
      local config = { name = 'clangd', cmd = { env('CLANGD') }, root_dir = vim.fn.fnamemodify(env('SOURCE'), ':h') }
      if vim.lsp.start then
        vim.lsp.start(config)
      else
        vim.lsp.buf_attach_client(0, vim.lsp.start_client(config))
      end
    end,
  })
end
-- What `:checkhealth condlint` says, in a buffer of its own, of which nothing is left.
vim.cmd('checkhealth condlint')
local health = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
if health:find('Failed to run') or not health:find('condlint %d') then
  fail('checkhealth: ' .. health)
end
io.stdout:write('seen: checkhealth\n')
vim.cmd('bwipeout!')
vim.cmd('edit ' .. env('SOURCE'))
await('the server', function()
  return client('condlint') ~= nil
end)
await('the finding', function()
  return #found() == 1
end)
-- Another program writes a configuration, and takes it away. Neovim watches no files on Linux.
local settings = vim.fn.fnamemodify(env('SOURCE'), ':h') .. '/.condlint.json'
vim.fn.writefile({ '{"ignore": ["output-alias"]}' }, settings)
await('what the configuration ignores gone', function()
  return #found() == 0
end)
vim.fn.delete(settings)
await('the finding again', function()
  return #found() == 1
end)
if env('CLANGD') ~= '' then
  await('clangd beside it', function()
    return client('clangd') ~= nil and client('clangd').initialized ~= false
  end)
  -- Neovim has one unit for a buffer, and what both could do would be done twice.
  local own, other = client('condlint'), client('clangd')
  if own.offset_encoding ~= other.offset_encoding then
    fail('units: ' .. own.offset_encoding .. ', ' .. other.offset_encoding)
  end
  local can = own.server_capabilities
  for _, name in ipairs({ 'definition', 'declaration', 'references', 'rename', 'completion', 'documentFormatting', 'semanticTokens' }) do
    if can[name .. 'Provider'] then
      fail('both have ' .. name)
    end
  end
end
local d = found()[1]
vim.api.nvim_win_set_cursor(0, { tonumber(env('LINE')), tonumber(env('COLUMN')) })
local encoding = client('condlint').offset_encoding
local hover = ask('textDocument/hover', vim.lsp.util.make_position_params(0, encoding))
if not hover or not hover.contents.value:find('float32%[N, 8%]') then
  fail('the contract: ' .. vim.inspect(hover))
end
local lens = ask('textDocument/codeLens', { textDocument = vim.lsp.util.make_text_document_params() })
if not lens or not lens[1] or not lens[1].command.title:find('then float32%[N, 8%]') then
  fail('the lens: ' .. vim.inspect(lens))
end
local actions = ask('textDocument/codeAction', {
  textDocument = vim.lsp.util.make_text_document_params(),
  range = { start = { line = d.lnum, character = d.col }, ['end'] = { line = d.lnum, character = d.col } },
  context = { diagnostics = {} },
})
for _, action in ipairs(actions) do
  if action.isPreferred then
    vim.lsp.util.apply_workspace_edit(action.edit, encoding)
  end
end
await('the finding gone', function()
  return #found() == 0
end)
-- An error, of which clangd tells; nothing is said twice.
if env('CLANGD') ~= '' then
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { 'int broken = nothing;', 'Tensor same(const Tensor &a) { return a; }' })
  await('the finding of clangd', function()
    return #vim.tbl_filter(function(each)
      return each.message:find('undeclared') ~= nil
    end, vim.diagnostic.get(0)) == 1
  end)
  vim.wait(1500) -- condlint has looked at it as well
end
local seen = {}
for _, each in ipairs(vim.diagnostic.get(0)) do
  local key = each.lnum .. ':' .. each.col .. ':' .. each.message
  if seen[key] then
    fail('twice: ' .. key)
  end
  seen[key] = true
end
-- A model, and the script that it was exported from, where what is found of it is shown and can be asked about.
if env('ENABLE') == '' then
  vim.cmd('edit! ' .. env('MODEL'))
  vim.cmd('edit ' .. env('SCRIPT'))
  await('the finding in the script', function()
    return #found() == 1
  end)
  await('the server asked about the script', function()
    return vim.lsp.buf_is_attached(0, client('condlint').id)
  end)
  local line = found()[1].lnum
  local titles = {}
  for _, action in ipairs(ask('textDocument/codeAction', {
    textDocument = vim.lsp.util.make_text_document_params(),
    range = { start = { line = line, character = 0 }, ['end'] = { line = line, character = 0 } },
    context = { diagnostics = {} },
  })) do
    table.insert(titles, action.title)
  end
  if not table.concat(titles, '\n'):find('Explain output%-alias') then
    fail('the actions in the script: ' .. vim.inspect(titles))
  end
end
vim.cmd('qall!')
