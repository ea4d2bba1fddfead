/** Selects the model that answers, or several to compare. Type to filter, arrow keys to move, Enter to select. */
import type { ModelDefaults } from '@chancery/contract/models/defaults.ts'
import { guideId } from '@chancery/contract/models/models.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { ChevronDown, Pin, PinOff, Star } from 'lucide-react'
import { useState } from 'react'
import { modelDefaultsQuery, useSaveModelDefaults } from '#data/model-defaults.ts'
import { useModels } from '#data/models.ts'
import { Button } from '#ui/button/button.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Popover } from '#ui/overlay/popover.tsx'
import type { ChosenModel } from '../history/turns.ts'
import { maxCompared, pinnedFirst, toggled } from './model-choice.ts'
import { ModelList } from './model-list.tsx'

interface ModelPickerProps {
  models: readonly ChosenModel[]
  onModels: (ids: readonly string[]) => void
  /** The model is chosen in order to write to it. */
  onClosed: () => void
}

const modelsLabel = ([first, ...rest]: readonly ChosenModel[]): string => {
  if (!first) return 'Select a model'
  return rest.length === 0 ? first.name : `${first.name} and ${rest.length} more`
}

export function ModelPicker({ models, onModels, onClosed }: ModelPickerProps) {
  const [isOpen, setOpen] = useState(false)
  const trigger = (
    <button
      type="button"
      className="flex h-9 min-w-0 items-center gap-1.5 rounded-control px-2.5 text-soft transition-colors duration-150 hover:bg-sunken hover:text-ink"
    >
      <span className="sr-only">Model: </span>
      <span className="truncate">{modelsLabel(models)}</span>
      <ChevronDown aria-hidden className="size-4 shrink-0 text-faint" />
    </button>
  )
  return (
    <Popover
      label="Models"
      trigger={trigger}
      isOpen={isOpen}
      onOpenChange={setOpen}
      side="top"
      onReturnFocus={onClosed}
      className="flex w-96 max-w-[calc(100vw-1.5rem)] flex-col"
    >
      <ModelSheet chosen={models.map(({ id }) => id)} onModels={onModels} onClose={() => setOpen(false)} />
    </Popover>
  )
}

interface ModelSheetProps {
  chosen: readonly string[]
  onModels: (ids: readonly string[]) => void
  onClose: () => void
}

function ModelSheet({ chosen, onModels, onClose }: ModelSheetProps) {
  const models = useModels()
  const { data: defaults } = useQuery(modelDefaultsQuery)
  const pins = defaults ? [defaults.user, defaults.organization, defaults.platform].flatMap(({ pinned }) => pinned) : []
  const [isComparing, setComparing] = useState(chosen.length > 1)
  if (models.isPending) return <SheetSkeleton />
  if (models.isError) {
    return (
      <div className="p-3">
        <ErrorPanel error={models.error} onRetry={models.refetch} />
      </div>
    )
  }
  const take = (id: string) => {
    if (isComparing) return onModels(toggled(chosen, id))
    onModels([id])
    onClose()
  }
  const compare = (isOn: boolean) => {
    setComparing(isOn)
    if (!isOn) onModels(chosen.slice(0, 1))
  }
  return (
    <>
      <ModelList
        models={pinnedFirst(models.data, pins)}
        pinned={pins}
        chosen={chosen}
        isComparing={isComparing}
        onTake={take}
      />
      <label className="flex items-center gap-3 border-t px-4 py-2.5">
        <input
          type="checkbox"
          checked={isComparing}
          onChange={(event) => compare(event.target.checked)}
          className="size-4 accent-seal"
        />
        <span>
          Compare side by side <span className="text-faint text-sm">up to {maxCompared}</span>
        </span>
      </label>
      {defaults && !isComparing && chosen[0] !== undefined && <OwnDefaults own={defaults.user} id={chosen[0]} />}
    </>
  )
}

/** The person's own defaults for the selected model. */
function OwnDefaults({ own, id }: { own: ModelDefaults; id: string }) {
  const save = useSaveModelDefaults('user')
  const { mutate, isPending } = useMutation({ mutationFn: save, onError: toast.failed })
  const isPinned = own.pinned.includes(id)
  const isDefault = own.default_model === id
  return (
    <div className="flex flex-wrap gap-1 border-t px-2 py-1.5">
      <Button
        size="small"
        look="quiet"
        icon={isPinned ? PinOff : Pin}
        disabled={isPending}
        onClick={() =>
          mutate({ ...own, pinned: isPinned ? own.pinned.filter((other) => other !== id) : [...own.pinned, id] })
        }
      >
        {isPinned ? 'Unpin model' : 'Pin model'}
      </Button>
      {id !== guideId && (
        <Button
          size="small"
          look="quiet"
          icon={Star}
          disabled={isPending}
          onClick={() => mutate({ ...own, default_model: isDefault ? null : id })}
        >
          {isDefault ? 'Don’t start chats with it' : 'Start new chats with it'}
        </Button>
      )}
    </div>
  )
}

const SheetSkeleton = () => (
  <Loading label="Loading models">
    <div className="flex flex-col gap-3 p-4">
      <Skeleton className="h-5 w-2/3" />
      <Skeleton className="h-5 w-1/2" />
      <Skeleton className="h-5 w-3/5" />
    </div>
  </Loading>
)
