/** Not signing: decline with a reason, or let somebody else sign. */
import { type FormEvent, useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextArea, TextInput } from '#ui/form/inputs.tsx'
import { useDecline, useDelegate } from './api.ts'
import { Failure, Panel } from './dock.tsx'
import { failureText, useSigning } from './signing-context.ts'

const fieldsOf = (event: FormEvent): Record<string, string> =>
  Object.fromEntries(
    [...new FormData(event.target as HTMLFormElement)].map(([name, value]) => [name, String(value).trim()]),
  )

export function DeclinePanel({ onCancel }: { onCancel: () => void }) {
  const wording = useSigning()
  const { token, texts } = wording
  const decline = useDecline(token)
  const [isMissing, setMissing] = useState(false)
  const submit = (event: FormEvent) => {
    const { reason = '' } = fieldsOf(event)
    setMissing(reason === '')
    if (reason !== '' && !decline.isPending) decline.mutate(reason)
  }
  return (
    <Panel
      title={texts.decline.title}
      onSubmit={submit}
      actions={
        <>
          <Button size="large" onClick={onCancel}>
            {texts.cancel}
          </Button>
          <Button type="submit" look="danger" size="large" isPending={decline.isPending}>
            {texts.decline.submit}
          </Button>
        </>
      }
    >
      <p className="text-soft">{texts.decline.hint}</p>
      <Field label={texts.decline.reason} name="reason" problem={isMissing ? texts.decline.missing : undefined}>
        <TextArea data-first maxLength={2000} />
      </Field>
      <Failure text={decline.error ? failureText(wording, decline.error) : undefined} />
    </Panel>
  )
}

interface DelegatePanelProps {
  onDone: (name: string) => void
  onCancel: () => void
}

export function DelegatePanel({ onDone, onCancel }: DelegatePanelProps) {
  const wording = useSigning()
  const { token, texts } = wording
  const delegate = useDelegate(token)
  const [problems, setProblems] = useState<{ name?: string; email?: string }>({})
  const submit = (event: FormEvent) => {
    const { name = '', email = '' } = fieldsOf(event)
    const found = {
      ...(name === '' && { name: texts.problem.required }),
      ...(!/^[^\s@]+@[^\s@]+$/.test(email) && { email: texts.problem.email }),
    }
    setProblems(found)
    if (Object.keys(found).length === 0 && !delegate.isPending)
      delegate.mutate({ name, email }, { onSuccess: () => onDone(name) })
  }
  return (
    <Panel
      title={texts.delegate.title}
      onSubmit={submit}
      actions={
        <>
          <Button size="large" onClick={onCancel}>
            {texts.cancel}
          </Button>
          <Button type="submit" look="primary" size="large" isPending={delegate.isPending}>
            {texts.delegate.submit}
          </Button>
        </>
      }
    >
      <p className="text-soft">{texts.delegate.hint}</p>
      <Field label={texts.delegate.name} name="name" problem={problems.name}>
        <TextInput data-first autoComplete="off" maxLength={120} />
      </Field>
      <Field label={texts.delegate.email} name="email" problem={problems.email}>
        <TextInput type="email" autoComplete="off" />
      </Field>
      <Failure text={delegate.error ? failureText(wording, delegate.error) : undefined} />
    </Panel>
  )
}
