/** The default model and the pinned ones, for an organization or for everybody. */
import type { DefaultsScope, ModelDefaults } from '@chancery/contract/models/defaults.ts'
import { guideId } from '@chancery/contract/models/models.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { modelDefaultsQuery, useSaveModelDefaults } from '#data/model-defaults.ts'
import { useModels } from '#data/models.ts'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/inputs.tsx'
import { Panel } from '#ui/page/layout.tsx'

interface ModelDefaultsPanelProps {
  scope: DefaultsScope
  hint: string
}

export function ModelDefaultsPanel({ scope, hint }: ModelDefaultsPanelProps) {
  const defaults = useQuery(modelDefaultsQuery)
  const models = useModels()
  const failed = [defaults, models].find(({ isError }) => isError)
  return (
    <Panel title="Default and pinned models" hint={hint}>
      {failed && <ErrorPanel error={failed.error} onRetry={failed.refetch} />}
      {defaults.data && models.data ? (
        <Choices scope={scope} defaults={defaults.data[scope]} models={models.data} />
      ) : (
        !failed && (
          <Loading label="Loading models">
            <Skeleton className="h-24" />
          </Loading>
        )
      )}
    </Panel>
  )
}

interface ChoicesProps {
  scope: DefaultsScope
  defaults: ModelDefaults
  models: readonly { id: string; name: string }[]
}

function Choices({ scope, defaults, models }: ChoicesProps) {
  const save = useSaveModelDefaults(scope)
  const { mutate, isPending } = useMutation({
    mutationFn: save,
    onSuccess: () => toast.done('Models saved'),
    onError: toast.failed,
  })
  const { default_model, pinned } = defaults
  const isGone = default_model !== null && !models.some(({ id }) => id === default_model)
  return (
    <div className="flex flex-col gap-5">
      <Field label="Default model" name="default_model" help="New chats start with it, unless someone chose another.">
        <Select
          value={default_model ?? ''}
          disabled={isPending}
          onChange={({ target }) => mutate({ pinned, default_model: target.value === '' ? null : target.value })}
        >
          <option value="">None</option>
          {isGone && <option value={default_model}>{default_model} (not available)</option>}
          {models
            .filter(({ id }) => id !== guideId || id === default_model)
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </Select>
      </Field>
      <fieldset disabled={isPending} className="flex flex-col gap-2">
        <legend className="mb-2 font-medium text-sm">Pinned models</legend>
        {models.map(({ id, name }) => (
          <label key={id} className="flex items-center gap-2.5">
            <input
              type="checkbox"
              checked={pinned.includes(id)}
              onChange={({ target }) =>
                mutate({
                  default_model,
                  pinned: target.checked ? [...pinned, id] : pinned.filter((other) => other !== id),
                })
              }
              className="size-4 accent-seal"
            />
            {name}
          </label>
        ))}
      </fieldset>
    </div>
  )
}
