import { useRef, useState } from 'react'

interface Toggle {
  chosen: ReadonlySet<string>
  /** All rows, in the order they are shown. */
  ids: readonly string[]
  id: string
  /** With Shift held: the row that was changed before. All rows in between become what this one becomes. */
  from?: string | undefined
}

export function toggleRows({ chosen, ids, id, from = id }: Toggle): ReadonlySet<string> {
  const [start, end] = [ids.indexOf(from), ids.indexOf(id)].sort((a, b) => a - b) as [number, number]
  const changed = start < 0 ? [id] : ids.slice(start, end + 1)
  if (chosen.has(id)) return new Set([...chosen].filter((one) => !changed.includes(one)))
  return new Set([...chosen, ...changed])
}

export function useSelection(ids: readonly string[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string>(undefined)
  return {
    chosen,
    choose: setChosen,
    toggle: (id: string, isRange: boolean) => {
      setChosen(toggleRows({ chosen, ids, id, from: isRange ? last.current : undefined }))
      last.current = id
    },
  }
}
