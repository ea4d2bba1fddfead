/** The options of a select for a catalog or a space. */
interface ResourceOptionsProps {
  items: readonly { id: string; name: string }[] | undefined
  chosen: string | null
}

/** The chosen one is listed even while the list loads or if it has been deleted. */
export const ResourceOptions = ({ items = [], chosen }: ResourceOptionsProps) => (
  <>
    {items.map(({ id, name }) => (
      <option key={id} value={id}>
        {name}
      </option>
    ))}
    {chosen !== null && items.every(({ id }) => id !== chosen) && <option value={chosen}>{chosen.slice(0, 8)}…</option>}
  </>
)
