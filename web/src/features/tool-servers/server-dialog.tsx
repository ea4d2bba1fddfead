/** Adds or edits a tool server. It can be tested before saving. */
import { type ToolServer, ToolServerBody } from '@chancery/contract/plugins/tool-servers.ts'
import { type ReactNode, useRef, useState } from 'react'
import { fieldsOf, useForm, useTestProblems } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { ApprovalField } from '#ui/form/approval-field.tsx'
import { Switch } from '#ui/form/choices.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { useSaveServer, useServerState, useTestServer, useToolServers } from './api.ts'
import { type Choices, choicesOf, serverBody } from './server-body.ts'
import { ServerFields } from './server-fields.tsx'
import { TestResult } from './test-result.tsx'

export type GrantsField = (props: {
  value: ToolServer['access_grants']
  onChange: (value: ToolServer['access_grants']) => void
}) => ReactNode

interface ServerDialogProps {
  /** The server to edit; `new` adds one; undefined means closed. */
  open: string | undefined
  grantsField: GrantsField
  onClose: () => void
}

export function ServerDialog({ open, grantsField, onClose }: ServerDialogProps) {
  const { data } = useToolServers()
  const server = data?.items.find(({ id }) => id === open)
  return (
    <Dialog
      title={server?.name ?? 'New tool server'}
      isOpen={open === 'new' || server !== undefined}
      onClose={onClose}
      isWide
      isSticky
    >
      <ServerForm current={server} grantsField={grantsField} onClose={onClose} />
    </Dialog>
  )
}

interface ServerFormProps {
  current: ToolServer | undefined
  grantsField: GrantsField
  onClose: () => void
}

function ServerForm({ current, grantsField, onClose }: ServerFormProps) {
  const formRef = useRef<HTMLFormElement>(null)
  const [choices, setChoices] = useState(() => choicesOf(current))
  const choose = (change: Partial<Choices>) => setChoices({ ...choices, ...change })
  const save = useSaveServer(current === undefined)
  const test = useTestServer()
  const state = useServerState(current)
  const functions = (test.data ?? state.data)?.tools.map(({ name }) => name) ?? []
  const form = useForm({
    schema: ToolServerBody,
    body: (fields) => serverBody(fields, choices, current),
    fieldOfCode: { tool_server_exists: 'id' },
    send: async (body) => {
      await save(body)
      toast.done(`Tool server “${body.name ?? body.id}” saved`)
      onClose()
    },
  })
  const tryIt = () => formRef.current && test.mutate(serverBody(fieldsOf(formRef.current), choices, current))
  const problems = { ...useTestProblems(test.error, formRef), ...form.problems }
  return (
    <form ref={formRef} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-6">
      <ServerFields current={current} choices={choices} problems={problems} onChoose={choose} />
      <div className="flex flex-col gap-3">
        <Button className="self-start" isPending={test.isPending} onClick={tryIt}>
          Test server
        </Button>
        <TestResult test={test} hasSignIn={choices.authType === 'oauth_2.1'} />
      </div>
      {grantsField({ value: choices.grants, onChange: (grants) => choose({ grants }) })}
      <ApprovalField value={choices.approval} onChange={(approval) => choose({ approval })} functions={functions} />
      <Switch
        label="Enabled"
        help="When off, the server is kept but its tools aren’t available."
        isOn={choices.isEnabled}
        onChange={(isEnabled) => choose({ isEnabled })}
      />
      <div>
        <DialogFormActions form={form} onCancel={onClose}>
          {current ? 'Save tool server' : 'Add tool server'}
        </DialogFormActions>
      </div>
    </form>
  )
}
