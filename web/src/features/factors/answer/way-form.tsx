/** One way to answer who one is: a button for a passkey, a field for a code or the password. */
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { answerByPasskey } from '#lib/browser/passkeys.ts'
import { useForm } from '#lib/form/form.ts'
import type { Schema } from '#lib/http/shape.ts'
import { ApiError } from '#lib/problems/api-error.ts'
import { Button } from '#ui/button/button.tsx'
import { PasskeyButton } from '#ui/button/passkey-button.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { Field } from '#ui/form/field.tsx'
import { PasswordInput, TextInput } from '#ui/form/inputs.tsx'
import { OtpInput } from '#ui/form/otp-input.tsx'
import type { Answer } from '../api.ts'
import type { Way } from './ways.ts'

export interface WayFormProps {
  way: Way
  /** The question for a passkey. */
  ask: () => Promise<{ challenge: string }>
  send: (answer: Answer) => Promise<void>
  /** The button. */
  action: string
  /** In front of the button. */
  children?: ReactNode
}

export const WayForm = ({ way, ...props }: WayFormProps) =>
  way === 'passkey' ? <PasskeyForm {...props} /> : <TypedForm key={way} way={way} {...props} />

function PasskeyForm({ ask, send, children }: Omit<WayFormProps, 'way'>) {
  const answering = useMutation({ mutationFn: async () => send({ response: await answerByPasskey(await ask()) }) })
  return (
    <div className="flex flex-col gap-5">
      {children}
      <FormFailure error={answering.error instanceof ApiError ? answering.error : undefined} />
      <PasskeyButton look="primary" isPending={answering.isPending} autoFocus onClick={() => answering.mutate()}>
        Use passkey
      </PasskeyButton>
    </div>
  )
}

const fields = {
  totp: { label: 'Six-digit code', help: 'From your authenticator app.' },
  email: { label: 'Six-digit code', help: 'From the email. It’s valid for five minutes.' },
  recovery: { label: 'Recovery code', help: 'One of the codes you saved. Each works once.' },
  password: { label: 'Password', help: undefined },
} as const

const refusals = { invalid_otp: 'answer', wrong_code: 'answer', wrong_password: 'answer' }

/** Parsed by hand: the schema library would double the size of the sign-in page. */
const typed: Schema<{ answer: string }> = {
  safeParse: (value) => {
    const { answer = '' } = value as { answer?: string }
    if (answer.trim() !== '') return { success: true, data: { answer } }
    return { success: false, error: { issues: [{ path: ['answer'], message: 'is missing' }] } }
  },
}

const answerOf = (way: Exclude<Way, 'passkey'>, answer: string): Answer => {
  if (way === 'password') return { password: answer }
  // A pasted code may contain spaces when the sixth digit submits the form.
  return { method: way, otp: way === 'recovery' ? answer.trim() : answer.replace(/\D/g, '') }
}

function TypedForm({ way, send, action, children }: WayFormProps & { way: Exclude<Way, 'passkey'> }) {
  const [digits, setDigits] = useState('')
  const formRef = useRef<HTMLFormElement>(null)
  const form = useForm({
    schema: typed,
    fieldOfCode: refusals,
    send: async ({ answer }) => {
      try {
        await send(answerOf(way, answer))
      } catch (error) {
        setDigits('')
        throw error
      }
    },
  })
  const { label, help } = fields[way]
  return (
    <form ref={formRef} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field label={label} name="answer" problem={form.problems.answer} help={help}>
        {way === 'password' && <PasswordInput autoComplete="current-password" />}
        {way === 'recovery' && (
          <TextInput autoComplete="off" autoCapitalize="none" spellCheck={false} className="font-mono" />
        )}
        {(way === 'totp' || way === 'email') && (
          <OtpInput value={digits} onChange={setDigits} onComplete={() => formRef.current?.requestSubmit()} />
        )}
      </Field>
      {children}
      <FormFailure error={form.failure} />
      <Button type="submit" look="primary" size="large" isPending={form.isPending}>
        {action}
      </Button>
    </form>
  )
}
