/** Says before sending that a chosen model can't read the attached image. */
import { useModels } from '#data/models.ts'
import type { ChosenModel } from '../history/turns.ts'

export function BlindNote({ models }: { models: readonly ChosenModel[] }) {
  const { data = [] } = useModels()
  const chosen = new Set(models.map(({ id }) => id))
  // A model without a list of capabilities may see.
  const blind = data.filter(
    ({ id, capabilities = [] }) => chosen.has(id) && capabilities.length > 0 && !capabilities.includes('vision'),
  )
  if (blind.length === 0) return null
  return (
    <p role="status" className="px-4 pt-2 text-sm text-warn">
      {blind.map(({ name }) => name).join(' and ')} can’t read images. Choose another model, or remove the image.
    </p>
  )
}
