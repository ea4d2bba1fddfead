/**
 * Email first, then what that email needs: a password, the company login, or a second step after the password. Both fields are
 * in one form from the start, so password managers can fill them.
 */

import { withQuery } from '@chancery/contract/reading/address.ts'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useForm } from '#lib/form/form.ts'
import { Button, buttonLook } from '#ui/button/button.tsx'
import { FormFailure } from '#ui/feedback/states.tsx'
import { Field } from '#ui/form/field.tsx'
import { PasswordInput, TextInput } from '#ui/form/inputs.tsx'
import { type Challenge, logIn, resolveLoginMode, shapes } from './api.ts'

interface SignInFormProps {
  /** The path to return to after the company login. */
  returnTo: string | undefined
  onSignedIn: () => void
  onSecondStep: (challenge: Challenge, email: string) => void
}

type Step = { name: 'address' } | { name: 'password' } | { name: 'company'; loginUrl: string; canUsePassword: boolean }

export function SignInForm({ returnTo, onSignedIn, onSecondStep }: SignInFormProps) {
  const [step, setStep] = useState<Step>({ name: 'address' })
  const formRef = useRef<HTMLFormElement>(null)

  const address = useForm({
    schema: shapes.address,
    body: ({ email }) => ({ email }),
    send: async ({ email }) => {
      const { mode, ssoUrl, passwordAllowed: canUsePassword = false } = await resolveLoginMode(email)
      const isCompany = mode === 'SSO' && ssoUrl !== undefined
      setStep(isCompany ? { name: 'company', loginUrl: ssoUrl, canUsePassword } : { name: 'password' })
    },
  })
  const login = useForm({
    schema: shapes.login,
    fieldOfCode: { invalid_credentials: 'password' },
    send: async (body) => {
      const challenge = await logIn(body)
      if (challenge) onSecondStep(challenge, body.email)
      else onSignedIn()
    },
  })

  // Each step focuses its own field.
  useEffect(() => {
    formRef.current
      ?.querySelector<HTMLInputElement>(`[name="${step.name === 'password' ? 'password' : 'email'}"]`)
      ?.focus()
  }, [step])

  const isAddress = step.name === 'address'
  const form = isAddress ? address : login
  return (
    <form ref={formRef} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <Field
        label="Email"
        name="email"
        problem={form.problems.email}
        aside={!isAddress && <ChangeAddress onClick={() => setStep({ name: 'address' })} />}
      >
        <TextInput type="email" autoComplete="username webauthn" inputMode="email" required readOnly={!isAddress} />
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
        <>
          <a href={withQuery(step.loginUrl, { return_to: returnTo })} className={buttonLook('primary', 'large')}>
            Continue with company login
          </a>
          {step.canUsePassword && (
            <Button look="quiet" onClick={() => setStep({ name: 'password' })}>
              Use a password instead
            </Button>
          )}
        </>
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
    Forgot password?
  </Link>
)
