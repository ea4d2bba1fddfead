/** Catalogs or spaces to choose from. */
interface PlaceOptionsProps {
  items: readonly { id: string; name: string }[] | undefined
  chosen: string | null
}

/** The chosen one is offered also while the list is on its way, or when it is not there any more. */
export const PlaceOptions = ({ items = [], chosen }: PlaceOptionsProps) => (
  <>
    {items.map(({ id, name }) => (
      <option key={id} value={id}>
        {name}
      </option>
    ))}
    {chosen !== null && items.every(({ id }) => id !== chosen) && <option value={chosen}>{chosen.slice(0, 8)}…</option>}
  </>
)
