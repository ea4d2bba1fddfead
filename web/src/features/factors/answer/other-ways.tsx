/** The other ways to answer, behind one button. */
import { useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { type Way, wayLabels } from './ways.ts'

interface OtherWaysProps<Each extends Way> {
  ways: readonly Each[]
  way: Each
  onWay: (way: Each) => void
}

export function OtherWays<Each extends Way>({ ways, way, onWay }: OtherWaysProps<Each>) {
  const [isOpen, setOpen] = useState(false)
  const others = ways.filter((other) => other !== way)
  if (others.length === 0) return null
  if (!isOpen) {
    return (
      <Button look="quiet" size="small" onClick={() => setOpen(true)}>
        Try another way
      </Button>
    )
  }
  return (
    <ul aria-label="Other ways" className="flex w-full flex-col gap-2">
      {others.map((other, index) => (
        <li key={other}>
          {/* The button that opened the list is gone, so the first way takes the focus. */}
          <Button
            className="w-full"
            autoFocus={index === 0}
            onClick={() => {
              setOpen(false)
              onWay(other)
            }}
          >
            {wayLabels[other]}
          </Button>
        </li>
      ))}
    </ul>
  )
}
