/** Writing a document: title, text and values on one side, its pages on the other. */
import type { SigningDocument } from '@chancery/contract/signing/documents.ts'
import { useState } from 'react'
import { ApiError } from '#lib/problems/api-error.ts'
import { useDebounced } from '#lib/time/use-debounced.ts'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { TextArea, TextInput } from '#ui/form/inputs.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { usePreview, useWriteDocument } from './api.ts'
import { exampleText, exampleTitle } from './example.ts'
import { Preview } from './preview.tsx'
import { missingIn, shownValues, variablesIn } from './variables.ts'

export function WriteView({ onMade }: { onMade: (document: SigningDocument) => void }) {
  const [title, setTitle] = useState(exampleTitle)
  const [text, setText] = useState(exampleText)
  const [values, setValues] = useState<Record<string, string>>({})
  const names = variablesIn(text)
  const missing = missingIn(names, values)
  const shown = useDebounced(JSON.stringify({ markdown: text, variables: shownValues(names, values) }))
  const preview = usePreview(JSON.parse(shown))
  const make = useWriteDocument(onMade)
  const isReady = title.trim() !== '' && missing.length === 0
  const create = () => {
    const variables = Object.fromEntries(names.map((name) => [name, values[name] ?? '']))
    make.mutate({ title, markdown: text, variables }, { onError: toast.failed })
  }
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <form
        noValidate
        className="flex min-w-0 flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady && !make.isPending) create()
        }}
      >
        <Field label="Title" name="title">
          <TextInput value={title} maxLength={200} onChange={({ target }) => setTitle(target.value)} />
        </Field>
        <Field
          label="Text"
          name="text"
          problem={problemOf(preview.error)}
          help={
            <>
              Markdown. Fields: {'{{sig:Customer}}'}, {'{{initials:Customer}}'}, {'{{date:Customer}}'},{' '}
              {'{{text:Customer:Company}}'}, {'{{checkbox:Customer:Terms}}'}. Anything else in double braces is a
              variable.
            </>
          }
        >
          <TextArea
            rows={22}
            value={text}
            spellCheck
            onChange={({ target }) => setText(target.value)}
            className="resize-y leading-relaxed"
          />
        </Field>
        {names.length > 0 && (
          <fieldset className="flex flex-col gap-3">
            <legend className="mb-1.5 font-medium text-sm">Variables</legend>
            <div className="grid gap-3 sm:grid-cols-2">
              {names.map((name) => (
                <Field key={name} label={name} name={`variable-${name}`}>
                  <TextInput
                    value={values[name] ?? ''}
                    maxLength={5000}
                    autoComplete="off"
                    onChange={({ target }) => setValues({ ...values, [name]: target.value })}
                  />
                </Field>
              ))}
            </div>
          </fieldset>
        )}
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" look="primary" isPending={make.isPending} disabled={!isReady}>
            Create draft
          </Button>
          <p role="status" className="text-faint text-sm">
            {missing.length > 0
              ? `Fill in ${missing.join(', ')}.`
              : 'You name the recipients and send it from the draft.'}
          </p>
        </div>
      </form>
      <Panel
        title="Preview"
        hint={preview.isFetching ? 'Updating…' : undefined}
        isFlush
        className="min-w-0 lg:sticky lg:top-4"
      >
        <Preview bytes={preview.data} />
      </Panel>
    </div>
  )
}

const problemOf = (error: unknown): string | undefined => {
  if (error === null || error === undefined) return undefined
  if (!(error instanceof ApiError)) return 'The preview couldn’t be made.'
  return error.problems.length > 0 ? error.problems.map(({ msg }) => msg).join('. ') : error.message
}
