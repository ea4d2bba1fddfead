/** Drop a PDF, read in plain words whether it is as it was signed. */
import { useMutation } from '@tanstack/react-query'
import { CircleHelp, FileSearch, ShieldAlert, ShieldCheck, ShieldX } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { ErrorPanel } from '#ui/feedback/states.tsx'
import { Answers } from './answers.tsx'
import { verifyPdf } from './api.ts'
import { SignatureList } from './signature-list.tsx'
import { type Verdict, verdictOf } from './verdict.ts'

export function VerifyView() {
  const [sent, setSent] = useState(0)
  const check = useMutation({
    mutationFn: (file: File) => {
      setSent(0)
      return verifyPdf(file, { onProgress: setSent, signal: new AbortController().signal })
    },
  })
  const isBusy = check.isPending
  return (
    <div className="flex flex-col gap-5">
      <DropBox
        isBusy={isBusy}
        label={isBusy ? (sent < 1 ? `Uploading… ${Math.round(sent * 100)}%` : 'Checking…') : undefined}
        onFile={(file) => !isBusy && check.mutate(file)}
      />
      {check.isError && <ErrorPanel error={check.error} />}
      {check.data && (
        <section aria-label="Result" aria-live="polite" className="flex flex-col gap-4">
          <Result verdict={verdictOf(check.data)} name={check.variables.name} />
          {check.data.sealed && <Answers reply={check.data} />}
          <SignatureList signatures={check.data.signatures} />
        </section>
      )}
    </div>
  )
}

interface DropBoxProps {
  isBusy: boolean
  label: string | undefined
  onFile: (file: File) => void
}

function DropBox({ isBusy, label, onFile }: DropBoxProps) {
  const inputRef = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) onFile(file)
  }
  return (
    <section
      aria-label="PDF to verify"
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`flex flex-col items-center gap-3 rounded-panel border-2 border-dashed px-4 py-8 text-center ${isOver ? 'border-seal bg-seal-wash' : 'border-rule'}`}
    >
      <FileSearch aria-hidden className="size-8 text-faint" strokeWidth={1.5} />
      <p role="status" className="text-soft">
        {label ?? 'Drop a PDF here, or choose one.'}
      </p>
      <input
        ref={inputRef}
        type="file"
        accept="application/pdf,.pdf"
        aria-label="PDF file"
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) onFile(file)
          target.value = ''
        }}
      />
      <Button look="primary" isPending={isBusy} onClick={() => inputRef.current?.click()}>
        Choose PDF
      </Button>
    </section>
  )
}

const looks = {
  good: { icon: ShieldCheck, look: 'bg-ok-wash text-ok' },
  warn: { icon: ShieldAlert, look: 'bg-warn-wash text-warn' },
  bad: { icon: ShieldX, look: 'bg-bad-wash text-bad' },
  plain: { icon: CircleHelp, look: 'bg-sunken text-soft' },
} as const

function Result({ verdict: { tone, title, hint }, name }: { verdict: Verdict; name: string }) {
  const { icon: Icon, look } = looks[tone]
  return (
    <div className={`flex items-start gap-3 rounded-panel px-4 py-3 ${look}`}>
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0" />
      <div className="min-w-0">
        <h2 className="font-medium text-md">{title}</h2>
        <p className="text-ink">{hint}</p>
        <p className="truncate text-sm text-soft">{name}</p>
      </div>
    </div>
  )
}
