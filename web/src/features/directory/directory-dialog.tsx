/** Connects a directory or edits the connection. It can be tested before saving. */
import { type LdapSettings, LdapSettingsBody } from '@chancery/contract/organizations/ldap.ts'
import { useRef, useState } from 'react'
import { fieldsOf, useForm, useTestProblems } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Switch } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { useDirectory, useSaveDirectory, useTestDirectory } from './api.ts'
import { ConnectionFields } from './connection-fields.tsx'
import { type Choices, directoryBody, securityOf } from './directory-body.ts'
import { GroupRoles } from './group-roles.tsx'
import { PeopleFields } from './people-fields.tsx'
import { TestSteps } from './test-steps.tsx'

export function DirectoryDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const directory = useDirectory()
  return (
    <Dialog
      title="Directory"
      hint="Connect your company’s LDAP directory."
      isOpen={isOpen && directory.isSuccess}
      onClose={onClose}
      isWide
      isSticky
    >
      <DirectoryForm current={directory.data ?? undefined} onClose={onClose} />
    </Dialog>
  )
}

const choicesOf = (current: LdapSettings | undefined): Choices => ({
  security: current ? securityOf(current) : 'ldaps',
  isEnabled: current?.enabled ?? true,
  canProvision: current?.autoProvision ?? false,
  groupRoles: current?.groupRoles ?? [],
})

function DirectoryForm({ current, onClose }: { current: LdapSettings | undefined; onClose: () => void }) {
  const formRef = useRef<HTMLFormElement>(null)
  const [choices, setChoices] = useState(() => choicesOf(current))
  const choose = (change: Partial<Choices>) => setChoices({ ...choices, ...change })
  const save = useSaveDirectory()
  const test = useTestDirectory()
  const form = useForm({
    schema: LdapSettingsBody,
    body: (fields) => directoryBody(fields, choices),
    send: async (body) => {
      await save(body)
      toast.done('Directory saved')
      onClose()
    },
  })
  const tryIt = () => {
    if (!formRef.current) return
    const { login = '', ...fields } = fieldsOf(formRef.current)
    test.mutate({ settings: directoryBody(fields, choices), ...(login !== '' && { login }) })
  }
  const problems = { ...useTestProblems(test.error, formRef), ...form.problems }
  // A correction makes a failed test outdated.
  const onChange = () => (test.isError || test.data?.ok === false) && test.reset()
  return (
    <form ref={formRef} noValidate onChange={onChange} onSubmit={form.onSubmit} className="flex flex-col gap-8">
      <ConnectionFields current={current} security={choices.security} problems={problems} onChoose={choose} />
      <PeopleFields current={current} problems={problems} />
      <GroupRoles rows={choices.groupRoles} problem={problems.dn} onChange={(groupRoles) => choose({ groupRoles })} />
      <div className="flex flex-col gap-5">
        <Switch
          label="Create accounts on first sign-in"
          help="When off, only people who were invited or already have an account can sign in."
          isOn={choices.canProvision}
          onChange={(canProvision) => choose({ canProvision })}
        />
        <Switch
          label="Enabled"
          help="When off, the directory is kept but not used for sign-in."
          isOn={choices.isEnabled}
          onChange={(isEnabled) => choose({ isEnabled })}
        />
      </div>
      <div>
        <Field
          label="Test with a person"
          name="login"
          isOptional
          help="An email or login name. The test then looks for this person."
          aside={
            <Button size="small" isPending={test.isPending} onClick={tryIt}>
              Test connection
            </Button>
          }
        >
          <TextInput autoComplete="off" spellCheck={false} autoCapitalize="none" />
        </Field>
        <TestSteps test={test} />
      </div>
      <DialogFormActions form={form} onCancel={onClose}>
        Save directory
      </DialogFormActions>
    </form>
  )
}
