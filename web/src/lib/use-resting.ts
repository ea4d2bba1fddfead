/** A value once it has rested: what is typed, but not asked for with each key. */
import { useEffect, useState } from 'react'

const restMs = 250

export function useResting<Value>(value: Value): Value {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
