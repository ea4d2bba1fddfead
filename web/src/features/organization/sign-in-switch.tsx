/** Switches between passwords and company login. Either way changes how everyone signs in, so it asks first. */
import type { Organization } from '@chancery/contract/organizations/organizations.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '#lib/problems/api-error.ts'
import { Button } from '#ui/button/button.tsx'
import { FormFailure, Skeleton } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Confirm } from '#ui/overlay/dialog.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { useCompanyLogin, useSaveOrganization } from './api.ts'

const words = {
  NATIVE: {
    name: 'Email and password',
    about: 'People sign in with a password, or with your directory if one is connected below.',
    action: 'Switch to passwords',
    loss: 'Everyone signs in with email and password again. People without a password can set one with “Forgot password?”.',
  },
  SSO: {
    name: 'Company login',
    about: 'People sign in at your identity provider. Passwords no longer work for this organization.',
    action: 'Switch to company login',
    loss: 'From now on, everyone signs in at your identity provider, and passwords no longer work, including yours. Make sure you can sign in there first.',
  },
} as const

interface SignInSwitchProps {
  organization: Organization
  /** Somebody has signed in with a provider of the organization's own. */
  hasOwnProvider: boolean
}

export function SignInSwitch({ organization: { authProvider }, hasOwnProvider }: SignInSwitchProps) {
  const companyLogin = useCompanyLogin()
  const save = useSaveOrganization()
  const [isAsking, setAsking] = useState(false)
  const other = authProvider === 'SSO' ? 'NATIVE' : 'SSO'
  const change = useMutation({
    mutationFn: () => save({ authProvider: other }),
    onSuccess: () => {
      setAsking(false)
      toast.done(`Sign-in method changed to ${words[other].name.toLowerCase()}`)
    },
  })
  const isMissing = other === 'SSO' && companyLogin.data?.enabled === false && !hasOwnProvider
  const close = () => {
    setAsking(false)
    change.reset()
  }
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div>
          <p className="flex items-center gap-2 font-medium">
            {words[authProvider].name} <Badge tone="good">In use</Badge>
          </p>
          <p className="max-w-prose text-faint text-sm">{words[authProvider].about}</p>
        </div>
        {companyLogin.isPending && <Skeleton className="h-9 w-44" />}
        {!companyLogin.isPending && !isMissing && (
          <Button onClick={() => setAsking(true)}>{words[other].action}</Button>
        )}
      </div>
      {isMissing && <NotConfigured />}
      <Confirm
        title={`${words[other].action}?`}
        loss={
          <div className="flex flex-col gap-3">
            <p>{words[other].loss}</p>
            <FormFailure error={change.error instanceof ApiError ? change.error : undefined} />
          </div>
        }
        action={words[other].action}
        isOpen={isAsking}
        isPending={change.isPending}
        onConfirm={() => change.mutate()}
        onClose={close}
      />
    </div>
  )
}

const NotConfigured = () => (
  <p className="rounded-control border bg-sunken px-3 py-2 text-soft text-sm">
    To switch to company login, add an identity provider below and sign in with it once. A platform admin can also
    connect one for the whole instance with <code className="font-mono text-xs">IDP_ISSUER_URI</code>,{' '}
    <code className="font-mono text-xs">IDP_CLIENT_ID</code> and{' '}
    <code className="font-mono text-xs">IDP_CLIENT_SECRET</code>.
  </p>
)
