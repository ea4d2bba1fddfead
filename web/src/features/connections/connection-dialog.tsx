/** Creates or edits a connection. It can be tested before saving; connections from the environment are read-only. */
import { type Connection, ConnectionBody, ConnectionPatch } from '@chancery/contract/models/connections.ts'
import { useRef, useState } from 'react'
import { fieldsOf, useForm, useTestProblems } from '#lib/form/form.ts'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Switch } from '#ui/form/choices.tsx'
import { PriceFields } from '#ui/form/price-fields.tsx'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { DialogFormActions } from '#ui/overlay/dialog-form-actions.tsx'
import { useConnections, useSaveConnection, useTestConnection } from './api.ts'
import { type Choices, choicesOf, connectionBody } from './connection-body.ts'
import { ConnectionFields } from './connection-fields.tsx'
import { EnvironmentFacts } from './environment-facts.tsx'
import { ModelChoice } from './model-choice.tsx'
import { TestResult } from './test-result.tsx'

interface ConnectionDialogProps {
  /** The connection to edit; `new` creates one; undefined means closed. */
  open: string | undefined
  onClose: () => void
}

export function ConnectionDialog({ open, onClose }: ConnectionDialogProps) {
  const { data } = useConnections()
  const connection = data?.items.find(({ id }) => id === open)
  const isForeign = connection?.source === 'environment'
  return (
    <Dialog
      title={connection?.name ?? 'New connection'}
      {...(!connection && {
        hint: 'A local runtime, or a provider with a compatible chat-completion API.',
      })}
      isOpen={open === 'new' || connection !== undefined}
      onClose={onClose}
      isWide
      isSticky={!isForeign}
    >
      {connection && isForeign ? (
        <EnvironmentFacts connection={connection} />
      ) : (
        <ConnectionForm current={connection} currency={data?.currency ?? ''} onClose={onClose} />
      )}
    </Dialog>
  )
}

interface ConnectionFormProps {
  current: Connection | undefined
  currency: string
  onClose: () => void
}

function ConnectionForm({ current, currency, onClose }: ConnectionFormProps) {
  const formRef = useRef<HTMLFormElement>(null)
  const [choices, setChoices] = useState(() => choicesOf(current))
  const choose = (change: Partial<Choices>) => setChoices({ ...choices, ...change })
  const save = useSaveConnection(current?.id)
  const test = useTestConnection()
  const isNew = current === undefined
  const form = useForm<unknown>({
    schema: isNew ? ConnectionBody : ConnectionPatch,
    body: (fields) => connectionBody(fields, choices, isNew),
    send: async (body) => {
      const { name } = await save(body)
      toast.done(`Connection “${name}” saved`)
      onClose()
    },
  })
  const tryIt = () => {
    if (!formRef.current) return
    test.mutate({ ...connectionBody(fieldsOf(formRef.current), choices, true), ...(current && { id: current.id }) })
  }
  const problems = { ...useTestProblems(test.error, formRef), ...form.problems }
  // A correction makes a failed test outdated.
  const onChange = () => (test.isError || test.data?.reachable === false) && test.reset()
  return (
    <form ref={formRef} noValidate onChange={onChange} onSubmit={form.onSubmit} className="flex flex-col gap-6">
      <ConnectionFields current={current} choices={choices} problems={problems} onChoose={choose} />
      <div className="flex flex-col gap-3">
        <Button className="self-start" isPending={test.isPending} onClick={tryIt}>
          Test connection
        </Button>
        <TestResult test={test} />
      </div>
      <ModelChoice
        listed={test.data?.models ?? []}
        chosen={choices.modelIds}
        problem={problems.model_ids}
        onChange={(modelIds) => choose({ modelIds })}
      />
      <PriceFields
        models={pricedModels(choices, test.data?.models)}
        none="Test the connection to list its models."
        prices={choices.prices}
        currency={currency}
        showsProblems={problems.input !== undefined || problems.output !== undefined}
        onChange={(prices) => choose({ prices })}
      />
      <Switch
        label="Enabled"
        help="When off, the connection is kept but its models aren’t available."
        isOn={choices.isEnabled}
        onChange={(isEnabled) => choose({ isEnabled })}
      />
      <div>
        <DialogFormActions form={form} onCancel={onClose}>
          {isNew ? 'Add connection' : 'Save connection'}
        </DialogFormActions>
      </div>
    </form>
  )
}

/** The models that are offered, as far as known, and those that already have a price. */
const pricedModels = ({ modelIds, prices }: Choices, listed: readonly string[] = []): string[] =>
  [...new Set([...prices.keys(), ...(modelIds ?? listed)])].sort()
