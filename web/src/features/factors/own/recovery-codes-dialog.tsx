/** Recovery codes, shown once. The dialog closes when they are said to be safe. */
import { Download, Printer } from 'lucide-react'
import { useState } from 'react'
import { printText } from '#lib/browser/print-text.ts'
import { saveFile } from '#lib/browser/save-file.ts'
import { Button } from '#ui/button/button.tsx'
import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { Dialog, DialogActions } from '#ui/overlay/dialog.tsx'

interface RecoveryCodesDialogProps {
  codes: readonly string[]
  onDone: () => void
}

export function RecoveryCodesDialog({ codes, onDone }: RecoveryCodesDialogProps) {
  const [isSafe, setSafe] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const close = () => (isSafe ? onDone() : setAsked(true))
  const text = codes.join('\n')
  const title = `Recovery codes for Chancery at ${location.host}`
  return (
    <Dialog
      title="Save your recovery codes"
      hint="Each of them signs you in once if you lose your device. You won’t see them again."
      isOpen
      isSticky
      isDisposable
      onClose={close}
    >
      <ul
        aria-label="Recovery codes"
        className="grid gap-x-6 sm:grid-cols-2 gap-y-1.5 rounded-control border bg-sunken px-5 py-4 font-mono"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-2">
        <CopyButton text={text} label="Copy" isWorded />
        <Button
          icon={Download}
          onClick={() => saveFile('chancery-recovery-codes.txt', `${title}\n\n${text}\n`, 'text/plain')}
        >
          Download
        </Button>
        <Button icon={Printer} onClick={() => printText(title, text)}>
          Print
        </Button>
      </div>
      <label className="mt-5 flex items-center gap-2.5">
        <input
          type="checkbox"
          checked={isSafe}
          aria-describedby="codes-unsaved"
          onChange={({ target }) => setSafe(target.checked)}
          className="size-4 shrink-0 accent-seal"
        />
        I saved these codes in a safe place
      </label>
      <p id="codes-unsaved" role="alert" className="mt-2 text-bad text-sm">
        {isAsked && !isSafe && 'Save them first, and confirm it above.'}
      </p>
      <DialogActions>
        <Button onClick={close}>Done</Button>
      </DialogActions>
    </Dialog>
  )
}
