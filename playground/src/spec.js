/* spec.js: an algorithm and its parameters as the library writes them: "wastar:weight=1.5". What is as usual is left out. */

export function algorithmOf(registry, name) {
    return registry.algorithms.find((algorithm) => algorithm.name === name);
}

/* `choice`: { algorithm, parameters: { name: value } }. */
export function specOf(registry, choice) {
    const algorithm = algorithmOf(registry, choice.algorithm);
    const words = (algorithm?.parameters ?? [])
        .filter(({ name, standard }) => choice.parameters[name] !== undefined && choice.parameters[name] !== standard)
        .map(({ name }) => `${name}=${choice.parameters[name]}`);
    return words.length ? `${choice.algorithm}:${words.join(',')}` : choice.algorithm;
}
