/** Creates a custom model, edits one, or edits the record of a connection's model. */
import type { Model } from '@chancery/contract/models/models.ts'
import { useModels } from '#data/models.ts'
import type { GrantsField } from '#lib/form/grants-field.ts'
import { Dialog } from '#ui/overlay/dialog.tsx'
import { useRecords } from './api.ts'
import { CustomModelForm } from './custom-model-form.tsx'
import { ServedModelForm } from './served-model-form.tsx'

interface ModelDialogProps {
  /** The model to edit; `new` creates one; undefined means closed. */
  open: string | undefined
  grantsField: GrantsField
  onClose: () => void
}

export function ModelDialog({ open, grantsField, onClose }: ModelDialogProps) {
  const { data: models } = useModels()
  const { data: records } = useRecords()
  const record = records?.find(({ id }) => id === open)
  const item = models?.find(({ id }) => id === open)
  const isNew = open === 'new'
  const isKnown = isNew ? models !== undefined : record !== undefined || item !== undefined
  return (
    <Dialog
      title={isNew ? 'New model' : (record?.name ?? item?.name ?? '')}
      {...dialogHint(isNew, record)}
      isOpen={open !== undefined && isKnown}
      onClose={onClose}
      isWide
      isSticky
    >
      {isNew || isMade(record) ? (
        <CustomModelForm current={record} models={models ?? []} grantsField={grantsField} onClose={onClose} />
      ) : (
        <ServedModelForm
          id={open ?? ''}
          name={item?.name ?? open ?? ''}
          current={record}
          grantsField={grantsField}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

const isMade = (record: Model | undefined) => record !== undefined && record.base_model_id !== null

function dialogHint(isNew: boolean, record: Model | undefined) {
  if (isNew) return { hint: 'A model with its own prompt and parameters, based on another model.' }
  return isMade(record) ? {} : { hint: 'This model is provided by a connection. Set its name here and who can use it.' }
}
