/** A value once it has stopped changing, so a search doesn't run on every key press. */
import { useEffect, useState } from 'react'

const restMs = 250

export function useDebounced<Value>(value: Value): Value {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
