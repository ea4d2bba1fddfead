/** Lets a model read documents, and chooses the model. Off unless somebody turns it on here. */
import { guideId } from '@chancery/contract/models/models.ts'
import { useState } from 'react'
import { useModels } from '#data/models.ts'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { Switch } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select } from '#ui/form/inputs.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { useAiSettings, useChangeAiSettings } from './api.ts'

export function AiSettingsPanel() {
  const settings = useAiSettings()
  return (
    <Panel
      title="AI for documents"
      hint="Owners can ask a model about their documents and let it write a summary for recipients. The text of the document is sent to the model."
    >
      {settings.isPending && (
        <Loading label="Loading settings">
          <Skeleton className="h-9" />
        </Loading>
      )}
      {settings.isError && <ErrorPanel error={settings.error} onRetry={settings.refetch} />}
      {settings.data && <AiForm {...settings.data} />}
    </Panel>
  )
}

function AiForm({ enabled, model }: { enabled: boolean; model: string | null }) {
  const models = useModels()
  const change = useChangeAiSettings()
  const [chosen, setChosen] = useState(model ?? '')
  const choose = (id: string) => {
    setChosen(id)
    if (enabled && id !== '') change.mutate({ enabled, model: id })
  }
  return (
    <div className="flex flex-col gap-4">
      <Field label="Model" name="aiModel">
        <Select value={chosen} onChange={({ target }) => choose(target.value)}>
          <option value="">Choose a model</option>
          {models.data
            ?.filter(({ id }) => id !== guideId || id === model)
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </Select>
      </Field>
      {chosen !== '' && (
        <Switch
          label="Let the model read documents"
          help="Only for documents of people who ask it to."
          isOn={enabled}
          isPending={change.isPending}
          onChange={(isOn) => change.mutate({ enabled: isOn, model: chosen })}
        />
      )}
    </div>
  )
}
