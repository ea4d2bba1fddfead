/** Small preferences stored in this browser. Losing one is never an error. */

export const storedKey = (key: string): string => `chancery.${key}`

export function readStored(key: string): string | undefined {
  try {
    return localStorage.getItem(storedKey(key)) ?? undefined
  } catch {
    return undefined
  }
}

export function store(key: string, value: string) {
  try {
    localStorage.setItem(storedKey(key), value)
  } catch {
    // A private window may have no storage; the preference then ends with the page.
  }
}

export function removeStored(key: string) {
  try {
    localStorage.removeItem(storedKey(key))
  } catch {
    // Storage that can't be written holds nothing to remove.
  }
}
