/** The options of a select that chooses by name and stores the ID. */
interface NamedOptionsProps {
  items: readonly { id: string; name: string }[] | undefined
  chosen: string | null
}

/** The chosen one is listed even while the list loads or if it has been deleted. */
export const NamedOptions = ({ items = [], chosen }: NamedOptionsProps) => (
  <>
    {items.map(({ id, name }) => (
      <option key={id} value={id}>
        {name}
      </option>
    ))}
    {chosen !== null && items.every(({ id }) => id !== chosen) && <option value={chosen}>{chosen.slice(0, 8)}…</option>}
  </>
)
