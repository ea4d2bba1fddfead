/** Adds a connection or changes one. It can be tried before it is saved; the environment's can only be looked at. */
import { type Connection, ConnectionBody, ConnectionPatch } from '@chancery/contract/connections.ts'
import { useRef, useState } from 'react'
import { ApiError } from '#lib/api-error.ts'
import { problemsOfError } from '#lib/field-problems.ts'
import { fieldsOf, useForm } from '#lib/form.ts'
import { Button } from '#ui/button.tsx'
import { Switch } from '#ui/choices.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { PriceFields } from '#ui/price-fields.tsx'
import { FormFailure } from '#ui/states.tsx'
import { toast } from '#ui/toast.tsx'
import { useConnections, useSaveConnection, useTestConnection } from './api.ts'
import { type Choices, choicesOf, connectionBody } from './connection-body.ts'
import { ConnectionFields } from './connection-fields.tsx'
import { EnvironmentFacts } from './environment-facts.tsx'
import { ModelChoice } from './model-choice.tsx'
import { TestResult } from './test-result.tsx'

interface ConnectionDialogProps {
  /** Which one; `new` makes one; undefined is closed. */
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
        hint: 'A runtime of your own, or a provider that speaks the common chat-completion format.',
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
  const place = useRef<HTMLFormElement>(null)
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
      toast.done(`The connection “${name}” is saved.`)
      onClose()
    },
  })
  const tryIt = () => {
    if (!place.current) return
    test.mutate({ ...connectionBody(fieldsOf(place.current), choices, true), ...(current && { id: current.id }) })
  }
  const refused = test.error instanceof ApiError ? problemsOfError(test.error) : {}
  const problems = { ...refused, ...form.problems }
  return (
    <form ref={place} noValidate onSubmit={form.onSubmit} className="flex flex-col gap-6">
      <ConnectionFields current={current} choices={choices} problems={problems} onChoose={choose} />
      <div className="flex flex-col gap-3">
        <Button className="self-start" isPending={test.isPending} onClick={tryIt}>
          Test the connection
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
        label="Use this connection"
        help="Off, it is kept but its models are offered to nobody."
        isOn={choices.isEnabled}
        onChange={(isEnabled) => choose({ isEnabled })}
      />
      <div>
        <FormFailure error={form.failure} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isPending={form.isPending}>
            {isNew ? 'Add connection' : 'Save connection'}
          </Button>
        </DialogActions>
      </div>
    </form>
  )
}

/** Those that are offered, as far as they are known, and those that have a price already. */
const pricedModels = ({ modelIds, prices }: Choices, listed: readonly string[] = []): string[] =>
  [...new Set([...prices.keys(), ...(modelIds ?? listed)])].sort()
