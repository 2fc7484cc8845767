package windows

import (
	"fmt"
	"strconv"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/mpi"
	"cxdeck/driver/opensm"
	"cxdeck/driver/services"
	"cxdeck/views/exec"
)

// taskKill implements taskkill /im IMAGE and taskkill /pid N: it ends instances of OpenSM, and smpd. The service of an ended process is stopped.
func taskKill(c *exec.Call) (exec.Answer, error) {
	image, process := "", 0
	for words := c.Arguments; len(words) > 0; words = words[1:] {
		option := strings.ToLower(words[0])
		switch {
		case option == "/f" || option == "/t":
			continue
		case len(words) == 1 || option != "/im" && option != "/pid":
			return exec.Answer{}, exec.Mistake("taskkill takes /im IMAGE or /pid N, with /f, not %q", words[0])
		case option == "/im":
			image = words[1]
		default:
			n, err := strconv.Atoi(words[1])
			if err != nil || n < 1 {
				return exec.Answer{}, exec.Mistake("/pid must be the number of a process, not %q", words[1])
			}
			process = n
		}
		words = words[1:]
	}
	if image == "" && process == 0 {
		return exec.Answer{}, exec.Mistake("taskkill requires /im IMAGE or /pid N")
	}
	tasks, err := readTasks(c)
	if err != nil {
		return exec.Answer{}, err
	}
	plan := driver.Plan{Title: "End processes"}
	for _, task := range tasks {
		if (process == 0 || task.PID == process) && (image == "" || strings.EqualFold(image, task.Image) || strings.EqualFold(image+".exe", task.Image)) {
			plan.Operations = append(plan.Operations, endOf(&task))
		}
	}
	if len(plan.Operations) == 0 {
		what := image
		if process > 0 {
			what = strconv.Itoa(process)
		}
		return exec.Answer{}, fmt.Errorf("the process %q was not found; tasklist lists the processes of the lab", what)
	}
	if len(plan.Operations) == 1 {
		return c.ApplyOne(plan.Operations[0])
	}
	return c.Apply(plan)
}

// endOf returns the Operation that ends a process.
func endOf(task *taskRow) driver.Operation {
	if task.Image == mpi.Program {
		return mpi.SetHost{Port: new(0)}
	}
	if task.Service != "" {
		return services.Stop{Name: task.Service}
	}
	return opensm.Stop{PID: task.PID}
}
