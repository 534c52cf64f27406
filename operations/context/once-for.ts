/** Makes a value once per object, such as a cache per database; it is collected with the object. */

export function onceFor<Key extends WeakKey, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new WeakMap<Key, { readonly value: Made }>();
  return (key) => {
    let kept = made.get(key);
    if (kept === undefined) made.set(key, (kept = { value: make(key) }));
    return kept.value;
  };
}
