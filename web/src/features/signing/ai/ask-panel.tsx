/** Questions about a document. The answer names the pages it comes from. */
import type { AskReply } from '@chancery/contract/signing/ai.ts'
import type { FormEvent } from 'react'
import { Button } from '#ui/button/button.tsx'
import { ErrorPanel } from '#ui/feedback/states.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextArea } from '#ui/form/inputs.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { useAiSettings, useAsk } from './api.ts'

export function AskPanel({ documentId }: { documentId: string }) {
  const settings = useAiSettings()
  const ask = useAsk(documentId)
  if (!settings.data?.enabled) return null
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const question = String(new FormData(event.currentTarget).get('question') ?? '').trim()
    if (question !== '') ask.mutate(question)
  }
  return (
    <Panel title="Ask about this document">
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Field label="Question" name="question">
          <TextArea maxLength={2000} rows={2} required />
        </Field>
        <Button type="submit" isPending={ask.isPending} className="self-start">
          Ask
        </Button>
      </form>
      {ask.isError && <ErrorPanel error={ask.error} />}
      {ask.data && <Answer {...ask.data} />}
    </Panel>
  )
}

const Answer = ({ answer, citations, isPartial }: AskReply) => (
  <div role="status" className="mt-4 flex flex-col gap-2 border-t pt-4">
    <p className="whitespace-pre-wrap">{answer}</p>
    {citations.length > 0 && (
      <ol aria-label="Pages" className="list-decimal pl-5 text-soft text-sm">
        {citations.map(({ fileId, fileName, page }) => (
          <li key={`${fileId} ${page}`}>
            {fileName}, page {page}
          </li>
        ))}
      </ol>
    )}
    <p className="text-faint text-sm">
      Written by a model, which can be wrong. Check the pages.
      {isPartial && ' The document is long: only its first pages were read.'}
    </p>
  </div>
)
