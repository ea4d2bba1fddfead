/** Asks the person whether a device that shows this code may sign in as them. */
import type { DeviceQuestion } from '@chancery/contract/accounts/devices.ts'
import { Link } from '@tanstack/react-router'
import { Button } from '#ui/button/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { useDecision, useDeviceQuestion } from './api.ts'

const title = 'Sign in on a device'

/** For those who come without the code in the address. */
export function DeviceCodeForm({ onCode }: { onCode: (code: string) => void }) {
  return (
    <Panel title={title}>
      <form
        className="flex flex-col items-start gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const code = new FormData(event.currentTarget).get('code')
          if (typeof code === 'string' && code.trim() !== '') onCode(code.trim())
        }}
      >
        <Field label="Code" name="code" help="The eight letters that the device shows.">
          <TextInput autoComplete="off" autoCapitalize="characters" spellCheck={false} maxLength={20} required />
        </Field>
        <Button type="submit" look="primary">
          Continue
        </Button>
      </form>
    </Panel>
  )
}

export function DevicePanel({ code }: { code: string }) {
  const question = useDeviceQuestion(code)
  const decision = useDecision(code)
  if (question.isPending) return <Panel title={title}>Loading…</Panel>
  if (question.isError)
    return (
      <Panel title={title}>
        <p role="alert">{question.error.message}</p>
      </Panel>
    )
  if (decision.isSuccess)
    return (
      <Panel title={title}>
        <p role="status">
          {decision.data
            ? 'You’re signed in on the device. You can close this page.'
            : 'Declined. The device gets nothing.'}
        </p>
      </Panel>
    )
  return (
    <Panel title={title}>
      <div className="flex flex-col gap-4">
        <WhatItGets code={code} question={question.data} />
        {decision.error && <p role="alert">{decision.error.message}</p>}
        <div className="flex gap-3">
          <Button look="primary" isPending={decision.isPending} onClick={() => decision.mutate(true)}>
            Allow
          </Button>
          <Button disabled={decision.isPending} onClick={() => decision.mutate(false)}>
            Decline
          </Button>
        </div>
      </div>
    </Panel>
  )
}

function WhatItGets({ code, question }: { code: string; question: DeviceQuestion }) {
  const end = new Date(question.key_expires_at * 1000).toLocaleDateString(undefined, { dateStyle: 'long' })
  return (
    <>
      <p>
        <strong>{question.name}</strong> wants to sign in as you, from {question.ip}. Allow it only if you started this
        yourself and it shows this code:
      </p>
      <p className="font-mono text-lg">{code.toUpperCase()}</p>
      <p className="text-soft text-sm">
        It gets an API key that can do everything you can until {end}. You can delete it at any time under{' '}
        <Link to="/account/api-keys" className="underline underline-offset-4">
          API keys
        </Link>
        .
      </p>
    </>
  )
}
