/**
 * Address first, then what that address needs: a password, the company's own login, or after the password a code.
 * Both fields live in one form from the start, so that a password manager recognises and fills them.
 */
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { withQuery } from '#lib/api.ts'
import { useForm } from '#lib/form.ts'
import { Button, buttonLook } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { PasswordInput, TextInput } from '#ui/inputs.tsx'
import { FormFailure } from '#ui/states.tsx'
import { type Challenge, logIn, resolveLoginMode, shapes } from './api.ts'

interface SignInFormProps {
  /** Where the company's login should lead back to: a path of ours. */
  returnTo: string | undefined
  onSignedIn: () => void
  onCodeDue: (challenge: Challenge, email: string) => void
}

type Step = { name: 'address' } | { name: 'password' } | { name: 'company'; loginUrl: string }

export function SignInForm({ returnTo, onSignedIn, onCodeDue }: SignInFormProps) {
  const [step, setStep] = useState<Step>({ name: 'address' })
  const place = useRef<HTMLFormElement>(null)

  const address = useForm({
    schema: shapes.address,
    body: ({ email }) => ({ email }),
    send: async ({ email }) => {
      const { mode, ssoUrl } = await resolveLoginMode(email)
      setStep(mode === 'SSO' && ssoUrl !== undefined ? { name: 'company', loginUrl: ssoUrl } : { name: 'password' })
    },
  })
  const login = useForm({
    schema: shapes.login,
    fieldOfCode: { invalid_credentials: 'password' },
    send: async (body) => {
      const challenge = await logIn(body)
      if (challenge) onCodeDue(challenge, body.email)
      else onSignedIn()
    },
  })

  // Each step begins in its own field.
  useEffect(() => {
    place.current
      ?.querySelector<HTMLInputElement>(`[name="${step.name === 'password' ? 'password' : 'email'}"]`)
      ?.focus()
  }, [step])

  const isAddress = step.name === 'address'
  const form = isAddress ? address : login
  return (
    <form ref={place} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field
        label="Email address"
        name="email"
        problem={form.problems.email}
        aside={!isAddress && <ChangeAddress onClick={() => setStep({ name: 'address' })} />}
      >
        <TextInput type="email" autoComplete="username" inputMode="email" required readOnly={!isAddress} />
      </Field>
      <div className={step.name === 'password' ? undefined : 'sr-only'} aria-hidden={step.name !== 'password'}>
        <Field
          label="Password"
          name="password"
          problem={login.problems.password}
          aside={step.name === 'password' && <ForgotLink />}
        >
          <PasswordInput autoComplete="current-password" isHidden={step.name !== 'password'} />
        </Field>
      </div>
      <FormFailure error={form.failure} />
      {step.name === 'company' ? (
        <a href={withQuery(step.loginUrl, { return_to: returnTo })} className={buttonLook('primary', 'large')}>
          Continue with your company's login
        </a>
      ) : (
        <Button type="submit" look="primary" size="large" isPending={form.isPending}>
          {isAddress ? 'Continue' : 'Sign in'}
        </Button>
      )}
    </form>
  )
}

const ChangeAddress = ({ onClick }: { onClick: () => void }) => (
  <button type="button" onClick={onClick} className="text-seal-text text-sm underline-offset-4 hover:underline">
    Change
  </button>
)

const ForgotLink = () => (
  <Link to="/forgot-password" className="text-seal-text text-sm underline-offset-4 hover:underline">
    Forgot it?
  </Link>
)
