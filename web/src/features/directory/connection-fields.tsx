/** The server, encryption and credentials of the directory. */
import type { LdapSettings } from '@chancery/contract/organizations/ldap.ts'
import { useState } from 'react'
import type { Problems } from '#lib/problems/field-problems.ts'
import { Segmented } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { PasswordInput, TextArea, TextInput } from '#ui/form/inputs.tsx'
import { addressFor, type Choices, type Security } from './directory-body.ts'

const securities = [
  { value: 'none', label: 'None' },
  { value: 'startTls', label: 'StartTLS' },
  { value: 'ldaps', label: 'LDAPS' },
] as const

const notes: Record<Security, string> = {
  none: 'Passwords are sent unencrypted. Only use this for a directory on the same machine.',
  startTls: 'Starts unencrypted and switches to TLS before any data is sent. Usually port 389.',
  ldaps: 'Encrypted from the start. Usually port 636.',
}

interface ConnectionFieldsProps {
  current: LdapSettings | undefined
  security: Security
  problems: Problems
  onChoose: (change: Partial<Choices>) => void
}

export function ConnectionFields({ current, security, problems, onChoose }: ConnectionFieldsProps) {
  const [url, setUrl] = useState(current?.url ?? 'ldaps://')
  const type = (typed: string) => {
    setUrl(typed)
    if (/^ldaps:\/\//i.test(typed)) onChoose({ security: 'ldaps' })
    else if (/^ldap:\/\//i.test(typed) && security === 'ldaps') onChoose({ security: 'startTls' })
  }
  const secure = (next: Security) => {
    setUrl(addressFor(url, next))
    onChoose({ security: next })
  }
  return (
    <div className="flex flex-col gap-5">
      <Field label="Server URL" name="url" problem={problems.url} help="Such as ldaps://directory.example.com:636.">
        <TextInput
          value={url}
          onChange={(event) => type(event.target.value)}
          {...plain}
          className="font-mono"
          required
        />
      </Field>
      <div className="flex flex-col gap-1.5">
        <Segmented legend="Encryption" name="security" value={security} options={securities} onChange={secure} />
        <p className={security === 'none' ? 'text-sm text-warn' : 'text-faint text-sm'}>{notes[security]}</p>
      </div>
      {security !== 'none' && (
        <Field
          label="Certificate authority"
          name="caPem"
          isOptional
          problem={problems.caPem}
          help="PEM format. Only needed if the certificate is signed by your own authority."
        >
          <TextArea {...plain} defaultValue={current?.caPem} className="font-mono text-xs" />
        </Field>
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label="Bind DN"
          name="bindDn"
          isOptional
          problem={problems.bindDn}
          help="Leave blank to bind anonymously."
        >
          <TextInput {...plain} defaultValue={current?.bindDn} className="font-mono" />
        </Field>
        <Field
          label="Bind password"
          name="bindPassword"
          isOptional
          problem={problems.bindPassword}
          help={
            current?.hasBindPassword
              ? 'A password is stored. Leave blank to keep it.'
              : 'Stored encrypted. You won’t see it again.'
          }
        >
          <PasswordInput autoComplete="new-password" />
        </Field>
      </div>
    </div>
  )
}

const plain = { autoComplete: 'off', spellCheck: false, autoCapitalize: 'none' } as const
