;;; condlint.el --- Findings on conditionals while you type  -*- lexical-binding: t -*-

;; Part of condlint, under the Apache License v2.0 with LLVM Exceptions.
;; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;; Package-Requires: ((emacs "28.1") (eglot "1.8"))

;;; Commentary:

;; M-x condlint attaches `condlint lsp' to the buffer by way of eglot, which has one server a buffer:
;; (add-hook 'c++-mode-hook #'condlint) makes it that of every C++ buffer, in place of clangd.

;;; Code:

(require 'eglot)

(defgroup condlint nil "Conditionals whose branches do not fit together." :group 'tools)

(defcustom condlint-command '("condlint" "lsp")
  "The server, and its options."
  :type '(repeat string))

(add-to-list 'eglot-server-programs
             (cons '(c-mode c++-mode) (lambda (&rest _) condlint-command)))

;;;###autoload
(defun condlint ()
  "Attach condlint to this buffer."
  (interactive)
  (if (executable-find (car condlint-command))
      (eglot-ensure)
    (message "There is no program %s: pip install condlint" (car condlint-command))))

(provide 'condlint)

;;; condlint.el ends here
