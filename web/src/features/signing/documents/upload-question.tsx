/** What an upload is asked before it can go on: the PDF's password, or whether a signed PDF starts anew. Or why it can't. */
import { useState } from 'react'
import { ApiError } from '#lib/problems/api-error.ts'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { PasswordInput } from '#ui/form/inputs.tsx'
import { Dialog, DialogActions } from '#ui/overlay/dialog.tsx'

/** What the sender said about the files, sent along with them. */
export interface UploadAnswers {
  password?: string
  acceptsSigned?: boolean
}

interface Props {
  refusal: ApiError
  onAnswer: (answers: UploadAnswers) => void
  onClose: () => void
}

const asksForPassword = ['pdf_encrypted', 'pdf_password_wrong']

/** Each with its title, and with what helps. The server's sentence between them names the file, of several. */
const refusals: Record<string, { title: string; help: string }> = {
  pdf_xfa: {
    title: 'This form can’t be signed',
    help: 'Everybody who signs has to see the same document. Adobe Acrobat and Reader can open the form and print it.',
  },
  pdf_readers_disagree: {
    title: 'This PDF doesn’t look the same everywhere',
    help: 'One person could sign something other than what another person sees. Check what the new PDF says before you send it.',
  },
  pdf_damaged: {
    title: 'This PDF is damaged',
    help: 'If you got it from somebody else, ask them to send it again.',
  },
}

/** Errors that are shown in a dialog instead of a passing message. */
export const isUploadQuestion = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  (asksForPassword.includes(error.code) || error.code === 'pdf_signed' || error.code in refusals)

export function UploadQuestion({ refusal, onAnswer, onClose }: Props) {
  if (asksForPassword.includes(refusal.code)) return <PasswordQuestion {...{ refusal, onAnswer, onClose }} />
  if (refusal.code === 'pdf_signed') return <SignedQuestion {...{ refusal, onAnswer, onClose }} />
  return (
    <Dialog isOpen title={refusals[refusal.code]?.title ?? 'This file can’t be used'} onClose={onClose}>
      <p>{refusal.message}</p>
      <p className="mt-2 text-soft">{refusals[refusal.code]?.help}</p>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}

function PasswordQuestion({ refusal, onAnswer, onClose }: Props) {
  const [password, setPassword] = useState('')
  const isWrong = refusal.code === 'pdf_password_wrong'
  return (
    <Dialog isOpen isDisposable title="This PDF needs a password" onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (password !== '') onAnswer({ password })
        }}
      >
        {!isWrong && <p className="mb-4">{refusal.message}</p>}
        <Field
          label="PDF password"
          name="password"
          help="It opens the file once and isn’t stored. The document that you send has no password."
          problem={isWrong && password === '' ? refusal.message : undefined}
        >
          <PasswordInput
            autoComplete="off"
            maxLength={127}
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={password === ''}>
            Open PDF
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

const SignedQuestion = ({ refusal, onAnswer, onClose }: Props) => (
  <Dialog isOpen title="This PDF is already signed" onClose={onClose}>
    <p>{refusal.message}</p>
    <ul className="mt-3 flex list-disc flex-col gap-1 pl-5 text-soft">
      <li>The pages stay as they are, including what the signatures show.</li>
      <li>The certificate lists who had signed and when, but doesn’t vouch for it.</li>
      <li>Your upload is kept with its signatures, and you can download it.</li>
    </ul>
    <DialogActions>
      <Button onClick={onClose}>Cancel</Button>
      <Button look="primary" onClick={() => onAnswer({ acceptsSigned: true })}>
        Sign as a new document
      </Button>
    </DialogActions>
  </Dialog>
)
