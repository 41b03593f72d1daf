/** Installs what is missing, builds, and serves dist/ at a printed address. */
import { build } from "./build.mjs";
import { serve } from "./serve.mjs";

build();
const { address } = await serve(Number(process.env.PORT ?? 4173));
console.log(`\nEpsilometer is at ${address}/ (stop it with Ctrl-C)`);
