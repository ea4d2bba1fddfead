/** A summary for recipients. A model writes it on request; nothing is shown to them before the owner keeps it. */
import { Sparkles } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextArea } from '#ui/form/inputs.tsx'
import { useAiSettings, useProposeSummary } from './api.ts'

interface SummaryFieldProps {
  documentId: string
  summary: string | null
  onChange: (summary: string | null) => void
}

export function SummaryField({ documentId, summary, onChange }: SummaryFieldProps) {
  const settings = useAiSettings()
  const propose = useProposeSummary(documentId)
  const [text, setText] = useState(summary ?? '')
  if (!settings.data?.enabled && summary === null) return null
  const save = (next: string) => {
    const kept = next.trim() === '' ? null : next.trim()
    if (kept !== summary) onChange(kept)
  }
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="Summary for recipients"
        name="summary"
        isOptional
        help="Shown before they open the document, marked as written by a machine. Read it before you send."
      >
        <TextArea
          value={text}
          maxLength={5000}
          onChange={({ target }) => setText(target.value)}
          onBlur={() => save(text)}
        />
      </Field>
      {settings.data?.enabled && (
        <Button
          size="small"
          icon={Sparkles}
          isPending={propose.isPending}
          className="self-start"
          onClick={() =>
            propose.mutate(undefined, {
              onSuccess: (proposed) => {
                setText(proposed.text)
                save(proposed.text)
              },
            })
          }
        >
          Write with AI
        </Button>
      )}
    </div>
  )
}
